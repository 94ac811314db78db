import { column, markdown, withFrontMatter } from '../posts.mjs';

/** Its Markdown leaves HTML out: a shortcode keeps it, as the guide on hosts says. */
const config = `baseURL = "http://localhost/deep/blog/"
languageCode = "en"
title = "A blog"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap"]
`;

const layout = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{{ .Title }}</title>
<link rel="stylesheet" href="{{ "page.css" | relURL }}">
<main>
<h1>{{ .Title }}</h1>
{{ .Content }}
</main>
</html>
`;

export const hugo = {
  name: 'hugo',
  title: 'Hugo',
  from: 'hugo',
  version: ['hugo', 'version'],
  forms: { element: 'html', frame: 'frame' },
  common: {
    'config.toml': config,
    'layouts/_default/single.html': layout,
    'layouts/shortcodes/raw.html': '{{ .Inner }}\n',
    'static/page.css': column,
  },
  files: ({ name, snippets }) => ({
    [`content/posts/${name}.md`]: withFrontMatter(
      { title: 'A post' },
      markdown({ snippets: snippets.map((text) => `{{< raw >}}\n${text}\n{{< /raw >}}`) }),
    ),
  }),
  commands: () => [['hugo']],
  out: 'public',
  address: ({ name }) => `posts/${name}/`,
};

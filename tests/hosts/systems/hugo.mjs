import { column, markdown, withFrontMatter } from '../posts.mjs';

/** Its Markdown leaves HTML out: a shortcode keeps it, as the gallery and the guide on hosts say. */
const config = `baseURL = "http://localhost/deep/blog/"
languageCode = "en"
title = "A blog"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap"]
`;

const raw = (text) => `{{< raw >}}\n${text}\n{{< /raw >}}`;

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
  forms: { element: 'hugo', frame: 'frame' },
  common: {
    'config.toml': config,
    'layouts/_default/single.html': layout,
    'layouts/shortcodes/raw.html': '{{ .Inner }}\n',
    'static/page.css': column,
  },
  files: ({ name, form, snippets }) => ({
    [`content/posts/${name}.md`]: withFrontMatter(
      { title: 'A post' },
      markdown({ snippets: form === 'element' ? snippets : snippets.map(raw) }),
    ),
  }),
  commands: () => [['hugo']],
  out: 'public',
  address: ({ name }) => `posts/${name}/`,
};

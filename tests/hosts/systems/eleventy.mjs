import { column, markdown, withFrontMatter } from '../posts.mjs';

const config = `export default (settings) => {
  settings.addPassthroughCopy('page.css');
  return { pathPrefix: '/deep/blog/' };
};
`;

const layout = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{{ title }}</title>
<link rel="stylesheet" href="{{ '/page.css' | url }}">
<main>
<h1>{{ title }}</h1>
{{ content }}
</main>
</html>
`;

export const eleventy = {
  name: 'eleventy',
  title: 'Eleventy',
  from: 'eleventy',
  forms: { element: 'html', frame: 'frame' },
  common: { 'eleventy.config.js': config, '_includes/post.liquid': layout, 'page.css': column },
  files: (post) => ({
    [`posts/${post.name}.md`]: withFrontMatter(
      { title: 'A post', layout: 'post.liquid' },
      markdown(post),
    ),
  }),
  commands: () => [['eleventy', '--quiet']],
  out: '_site',
  address: ({ name }) => `posts/${name}/`,
};

/** Astro: its Markdown and a script of its own; MDX with a component for React. */
import {
  column,
  componentImport,
  components,
  elements,
  html,
  markdown,
  withFrontMatter,
} from '../posts.mjs';

const config = `import mdx from '@astrojs/mdx';
import react from '@astrojs/react';

export default { base: '/deep/blog', integrations: [mdx(), react()] };
`;

/** Its router replaces the body of the page, and every page leads to every post. */
const layout = (posts) => `---
import { ClientRouter } from 'astro:transitions';
const { title } = Astro.props.frontmatter ?? Astro.props;
---
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>{title}</title>
    <style is:global>${column}</style>
    <ClientRouter />
  </head>
  <body>
    <nav>${posts.map(({ name }) => `<a href="/deep/blog/${name}/">${name}</a>`).join(' ')}</nav>
    <main><h1>{title}</h1><slot /></main>
  </body>
</html>
`;

const settings = { title: 'A post', layout: '../layouts/Post.astro' };

const shared = {
  from: 'astro',
  common: {
    'astro.config.mjs': config,
    'src/pages/index.md': withFrontMatter({ ...settings, title: 'A blog' }, 'Home\n'),
  },
  config: (posts) => ({ 'src/layouts/Post.astro': layout(posts) }),
  commands: () => [['astro', 'build']],
  out: 'dist',
  address: ({ name }) => `${name}/`,
  hasLinks: true,
};

export const astro = {
  ...shared,
  name: 'astro',
  title: 'Astro',
  forms: { element: 'html', frame: 'frame', import: true },
  files: (post) =>
    post.form === 'import'
      ? {
          [`src/pages/${post.name}.astro`]: `---
import Post from '${settings.layout}';
---
<Post title="A post">
${html({ snippets: elements() })}
</Post>
<script>
  import 'ropewalk/elements';
</script>
`,
        }
      : { [`src/pages/${post.name}.md`]: withFrontMatter(settings, markdown(post)) },
};

export const astroMdx = {
  ...shared,
  name: 'astro-mdx',
  title: 'Astro, MDX and React',
  forms: { element: 'html', frame: 'frame', import: true },
  files: (post) => ({
    [`src/pages/${post.name}.mdx`]: withFrontMatter(
      settings,
      post.form === 'import'
        ? componentImport + markdown({ snippets: components('client:load') })
        : markdown(post),
    ),
  }),
};

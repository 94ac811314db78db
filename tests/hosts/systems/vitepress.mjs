import { elements, markdown } from '../posts.mjs';

/** Only pages that import the package need to tell Vue whose element it is. */
const config = (posts) => `export default {
  base: '/deep/blog/',
  title: 'A blog',
  ignoreDeadLinks: true,
  themeConfig: { nav: ${JSON.stringify(posts.map(({ name }) => ({ text: name, link: `/${name}` })))} },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'ropewalk-figure' } } },
};
`;

const script = `<script setup>
import 'ropewalk/elements';
</script>

`;

export const vitepress = {
  name: 'vitepress',
  title: 'VitePress',
  from: 'vitepress',
  forms: { element: 'vue', frame: 'vueFrame', import: true },
  config: (posts) => ({
    '.vitepress/config.mjs': posts.some(({ form }) => form === 'import')
      ? config(posts)
      : config(posts).replace(/\n  vue: .*/, ''),
    'index.md': 'Home\n',
  }),
  files: (post) => ({
    [`${post.name}.md`]:
      post.form === 'import' ? script + markdown({ snippets: elements() }) : markdown(post),
  }),
  commands: () => [['vitepress', 'build']],
  out: '.vitepress/dist',
  address: ({ name }) => `${name}.html`,
  hasLinks: true,
  dark: { stored: { 'vitepress-theme-appearance': 'dark' } },
};

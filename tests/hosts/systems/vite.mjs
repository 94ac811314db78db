import { column, documentOf, elements, html } from '../posts.mjs';

const config = (posts) => `export default {
  base: './',
  build: {
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: ${JSON.stringify(posts.map(({ name }) => `${name}.html`))} },
  },
};
`;

const styles = '<link rel="stylesheet" href="./page.css">';
const script = '<script type="module" src="./main.js"></script>';

export const vite = {
  name: 'vite',
  title: 'Vite',
  from: 'vite',
  forms: { element: 'html', frame: 'frame', import: true },
  common: { 'page.css': column, 'main.js': "import 'ropewalk/elements';\n" },
  config: (posts) => ({ 'vite.config.js': config(posts) }),
  files: (post) => ({
    [`${post.name}.html`]:
      post.form === 'import'
        ? documentOf(html({ snippets: elements() }), styles + script)
        : documentOf(html(post), styles),
  }),
  commands: () => [['vite', 'build', '--logLevel=warn']],
  out: 'dist',
  address: ({ name }) => `${name}.html`,
};

/** Observable's two ways to publish notebooks as files: Framework and Notebook Kit. */
import { elements, html, markdown, withFrontMatter } from '../posts.mjs';

const importing = "```js\nimport './elements.single.js';\n```\n\n";

export const framework = {
  name: 'observable',
  title: 'Observable Framework',
  from: 'observable',
  forms: { element: 'html', frame: 'frame', import: true },
  limits: {
    import: 'its bundler writes the first file of a package only, so a page imports one file',
  },
  common: {
    'observablehq.config.js':
      "export default { root: 'src', output: 'dist', title: 'A blog', search: false };\n",
  },
  files: (post, { script }) => ({
    'src/elements.single.js': script,
    [`src/${post.name}.md`]: withFrontMatter(
      { title: 'A post', theme: post.isDark ? 'dark' : 'light' },
      post.form === 'import' ? `${importing}${markdown({ snippets: elements() })}` : markdown(post),
    ),
  }),
  commands: () => [['observable', 'build']],
  out: 'dist',
  address: ({ name }) => `${name}.html`,
  dark: 'posts',
};

/** A cell for each paragraph. */
const notebook = ({ isDark }, cells) => `<!doctype html>
<notebook${isDark ? ' theme="midnight"' : ''}>
  <title>A post</title>
${cells}
</notebook>
`;

/** As its editor writes a cell: the text of a script has no end tag of one. */
const cell = (type, text) =>
  `  <script type="${type}">\n${text.replaceAll('</script', '<\\/script')}\n  </script>`;

export const notebookKit = {
  name: 'notebook-kit',
  title: 'Notebook Kit',
  from: 'notebook-kit',
  forms: { element: 'html', frame: 'frame', import: true },
  files: (post) => ({
    [`docs/${post.name}.html`]:
      post.form === 'import'
        ? notebook(
            post,
            `${cell('module', "import 'ropewalk/elements';")}
${cell('text/html', html({ snippets: elements() }))}`,
          )
        : notebook(post, cell('text/html', html(post))),
  }),
  // Its output folder is named from the root on.
  commands: (posts) => [
    ['notebooks', 'build', '--root', 'docs', '--out', 'dist', '--'].concat(
      posts.map(({ name }) => `docs/${name}.html`),
    ),
  ],
  out: 'docs/dist',
  address: ({ name }) => `${name}.html`,
  dark: 'posts',
};

/** Notebooks, executed and exported as HTML by the two templates that nbconvert has for pages. */
import { markdown } from '../posts.mjs';

const cell = (cell_type, source) => ({
  cell_type,
  id: `cell-${source.length}`,
  metadata: {},
  source,
  ...(cell_type === 'code' ? { execution_count: null, outputs: [] } : {}),
});

function notebook({ form, snippets }) {
  const paragraphs = markdown({ snippets: snippets.map((_, i) => `@${i}`) })
    .trim()
    .split('\n\n');
  const cells = paragraphs.map((text) => {
    const snippet = snippets[Number(/^@(\d)$/.exec(text)?.[1])];
    if (snippet === undefined) return cell('markdown', text);
    return cell(form === 'element' ? 'code' : 'markdown', snippet);
  });
  const kernelspec = { name: 'python3', display_name: 'Python 3', language: 'python' };
  return JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 });
}

const exportBy = (template) => ({
  from: 'jupyter',
  version: ['jupyter-nbconvert', '--version'],
  forms: { element: 'jupyter', frame: 'frame' },
  files: (post) => ({ [`${post.name}.ipynb`]: notebook(post) }),
  commands: (posts) =>
    posts.map(({ name, isDark }) => [
      'jupyter-nbconvert',
      '--execute',
      '--to=html',
      `--template=${template}`,
      ...(isDark ? ['--theme=dark'] : []),
      `${name}.ipynb`,
    ]),
  out: '.',
  address: ({ name }) => `${name}.html`,
});

export const lab = {
  ...exportBy('lab'),
  name: 'jupyter',
  title: 'nbconvert, JupyterLab',
  dark: 'posts',
};
export const classic = {
  ...exportBy('classic'),
  name: 'jupyter-classic',
  title: 'nbconvert, classic',
};

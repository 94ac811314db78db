import { markdown } from '../posts.mjs';

const pandocTo = (flags) => ({
  from: 'pandoc',
  version: ['pandoc', '--version'],
  forms: { element: 'html', frame: 'frame' },
  files: (post) => ({ [`${post.name}.md`]: markdown(post) }),
  commands: (posts) =>
    posts.map(({ name }) => [
      'pandoc',
      '--standalone',
      ...flags,
      '--metadata=title:A post',
      `--output=${name}.html`,
      `${name}.md`,
    ]),
  out: '.',
  address: ({ name }) => `${name}.html`,
});

export const pandoc = { ...pandocTo([]), name: 'pandoc', title: 'Pandoc' };

/** Everything in the page, by the name that the option --embed-resources had before 2.19. */
export const pandocInOneFile = {
  ...pandocTo(['--self-contained']),
  name: 'pandoc-one-file',
  title: 'Pandoc, one file',
  forms: { element: 'oneFile' },
  files: (post, { script }) => ({
    [`${post.name}.md`]: markdown(post),
    'elements.single.js': script,
  }),
};

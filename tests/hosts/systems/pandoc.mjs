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

import { markdown, withFrontMatter } from '../posts.mjs';

const config = `title: A blog
url: http://localhost
baseurl: /deep/blog
theme: minima
permalink: /:title/
`;

export const jekyll = {
  name: 'jekyll',
  title: 'Jekyll, minima',
  from: 'jekyll',
  version: ['jekyll', '--version'],
  forms: { element: 'html', frame: 'frame' },
  common: { '_config.yml': config },
  files: (post) => ({
    [`_posts/2026-01-01-${post.name}.md`]: withFrontMatter(
      { layout: 'post', title: 'A post' },
      markdown(post),
    ),
  }),
  commands: () => [['jekyll', 'build', '--disable-disk-cache']],
  out: '_site',
  address: ({ name }) => `${name}/`,
};

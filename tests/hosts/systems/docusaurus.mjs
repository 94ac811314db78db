import { componentImport, components, markdown, withFrontMatter } from '../posts.mjs';

/** The list of posts has what stands before this mark. */
const truncated = (text) => text.replace('\n\n', '\n\n{/* truncate */}\n\n');

const config = `export default {
  title: 'A blog',
  url: 'http://localhost',
  baseUrl: '/deep/blog/',
  onBrokenLinks: 'ignore',
  presets: [['classic', { docs: false, blog: { routeBasePath: '/' } }]],
};
`;

export const docusaurus = {
  name: 'docusaurus',
  title: 'Docusaurus',
  from: 'docusaurus',
  forms: { element: 'html', frame: 'frame', import: true },
  // Its scripts are no modules, as the package.json of the folder above would have them.
  common: { 'docusaurus.config.js': config, 'package.json': '{ "private": true }' },
  files: (post) => ({
    [`blog/2026-01-01-${post.name}.mdx`]: withFrontMatter(
      { title: 'A post', slug: post.name },
      post.form === 'import'
        ? componentImport + truncated(markdown({ snippets: components() }))
        : truncated(markdown(post)),
    ),
  }),
  commands: () => [['docusaurus', 'build']],
  out: 'build',
  address: ({ name }) => `${name}/`,
  hasLinks: true,
  dark: { stored: { theme: 'dark' } },
};

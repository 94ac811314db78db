/**
 * What `npm run hosts` installs, by the name of the folder in the cache: from npm in exact
 * versions, the first of which is the host, and from Debian in those of the machine's release.
 */
const react = { react: '19.3.1', 'react-dom': '19.3.1' };

/** Node as npm has it for this kind of machine. */
const node = `npm:node-${process.platform}-${process.arch}@22.23.3`;

export const npm = {
  astro: { astro: '7.3.5', '@astrojs/mdx': '8.0.2', '@astrojs/react': '7.0.0', node, ...react },
  docusaurus: {
    '@docusaurus/core': '3.10.2',
    '@docusaurus/preset-classic': '3.10.2',
    '@mdx-js/react': '3.1.1',
    ...react,
  },
  eleventy: { '@11ty/eleventy': '3.1.8' },
  esbuild: { esbuild: '0.28.2' },
  next: {
    next: '16.4.6',
    ...react,
    typescript: '5.9.3',
    '@types/react': '19.3.0',
    '@types/node': '22.20.5',
  },
  'notebook-kit': { '@observablehq/notebook-kit': '2.1.8' },
  observable: { '@observablehq/framework': '1.13.4' },
  sanitizer: { 'sanitize-html': '2.18.1' },
  vite: { vite: '8.3.8' },
  vitepress: { vitepress: '1.6.4' },
  webpack: { webpack: '5.112.2', 'webpack-cli': '6.0.1' },
};

export const debian = {
  hugo: ['hugo'],
  jekyll: ['jekyll', 'jekyll-theme-minima'],
  jupyter: ['jupyter-nbconvert', 'python3-ipykernel'],
  pandoc: ['pandoc'],
};

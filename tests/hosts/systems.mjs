/** Every system that publishes posts with figures, in the order of the table. */
import { astro, astroMdx } from './systems/astro.mjs';
import { docusaurus } from './systems/docusaurus.mjs';
import { eleventy } from './systems/eleventy.mjs';
import { html, listed, nonced, sanitized } from './systems/html.mjs';
import { hugo } from './systems/hugo.mjs';
import { jekyll } from './systems/jekyll.mjs';
import { classic, lab } from './systems/jupyter.mjs';
import { next } from './systems/next.mjs';
import { framework, notebookKit } from './systems/observable.mjs';
import { pandoc, pandocInOneFile } from './systems/pandoc.mjs';
import { vite } from './systems/vite.mjs';
import { vitepress } from './systems/vitepress.mjs';

/**
 * @typedef {import('./posts.mjs').Post} Post
 * @typedef {Record<string, string>} Files texts by their paths in the project
 *
 * @typedef {object} System
 * @property {string} name on the command line
 * @property {string} title
 * @property {string} [from] what it is installed from (packages.mjs)
 * @property {string[]} [version] the command that prints it; npm packages have it in their manifest
 * @property {{ element: string, frame?: string, import?: boolean }} forms the tab of the
 *   gallery that fits, or 'oneFile', and whether the system bundles what a post imports
 * @property {Files} [common] files of every project
 * @property {(posts: Post[]) => Files} [config] files that depend on what is published
 * @property {(post: Post, given: { modules?: string, script: string }) => Files} files of a post;
 *   `script` is that of the figures in one file
 * @property {(posts: Post[]) => string[][]} [commands] that publish
 * @property {string} out the folder that they write
 * @property {(post: Post) => string} address of a post, from that folder on
 * @property {(site: string) => Record<string, string>} [headers] that its server sends, by the
 *   origin of the figures
 * @property {string | { stored: Record<string, string> }} [dark] the dark theme: 'posts' have it,
 *   or chosen by a reader; where there is none, the page is made dark
 * @property {number} [least] the narrowest column without scroll bars, where frames have no script
 * @property {boolean} [hasLinks] whether the first page leads to the posts without a new document
 * @property {Partial<Record<Post['form'], string>>} [limits] what the host does not allow, by form
 * @property {boolean} [isStill] whether an element remains a link and a still
 */

/** @type {System[]} */
export const systems = [
  html,
  listed,
  nonced,
  sanitized,
  hugo,
  jekyll,
  pandoc,
  pandocInOneFile,
  lab,
  classic,
  eleventy,
  vite,
  astro,
  astroMdx,
  docusaurus,
  vitepress,
  next,
  framework,
  notebookKit,
];

/** Pages written by hand: without a policy, under two strict ones, and cleaned by somebody else. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { column, documentOf, elements, html as body } from '../posts.mjs';

const styles = '<link rel="stylesheet" href="page.css">';
const common = { 'page.css': column };
const address = ({ name }) => `${name}.html`;
const page = (post, own = body(post)) => ({ [`${post.name}.html`]: documentOf(own, styles) });

/** The package as npm installs it, served as it is. */
const served = 'node_modules/ropewalk/dist/package/elements/elements.js';

export const html = {
  name: 'html',
  title: 'plain HTML',
  forms: { element: 'html', frame: 'frame', import: true },
  common,
  files: (post) =>
    post.form === 'import'
      ? page(
          post,
          `<script type="module" src="${served}"></script>
${body({ snippets: elements() })}`,
        )
      : page(post),
  out: '.',
  address,
};

const policy = (scripts, site) =>
  [
    "default-src 'none'",
    `script-src ${scripts} 'wasm-unsafe-eval'`,
    `connect-src ${site}`,
    "style-src 'self'",
    `img-src ${site} data:`,
    `worker-src blob: ${site}`,
    `frame-src ${site}`,
  ].join('; ');

/** As the guide on policies says. */
export const listed = {
  name: 'policy',
  title: 'strict policy, list',
  forms: { element: 'html', frame: 'frame' },
  common,
  files: (post) => page(post),
  out: '.',
  address,
  headers: (site) => ({ 'Content-Security-Policy': policy(site, site) }),
};

const nonce = 'cm9wZXdhbGs';

/** A host of this kind adds its nonce to the scripts of its authors. */
export const nonced = {
  ...listed,
  name: 'nonce',
  title: 'strict policy, nonce',
  files: (post) => page(post, body(post).replaceAll('<script', `<script nonce="${nonce}"`)),
  headers(site) {
    const scripts = `'nonce-${nonce}' 'strict-dynamic'`;
    return {
      'Content-Security-Policy': `${policy(scripts, site)}; require-trusted-types-for 'script'`,
    };
  },
};

/** Hosts that remove scripts, styles and elements that they do not know: link and still remain. */
export const sanitized = {
  name: 'sanitized',
  title: 'scripts and styles removed',
  from: 'sanitizer',
  forms: { element: 'html', frame: 'frame' },
  isStill: true,
  least: 600,
  limits: {
    element: 'no script runs: its still and its link remain',
    frame: 'without frames.js its height is enough in columns of 600 px and more',
  },
  common,
  /**
   * @param {import('../posts.mjs').Post} post
   * @param {{ modules?: string }} given
   */
  files(post, { modules }) {
    const clean = createRequire(path.join(modules, 'x.js'))('sanitize-html');
    const { allowedTags, allowedAttributes } = clean.defaults;
    const iframe = ['src', 'title', 'width', 'height', 'frameborder', 'loading', 'allow'];
    const own = clean(body(post), {
      allowedTags: [...allowedTags, 'img', 'iframe'],
      allowedAttributes: { ...allowedAttributes, iframe },
    });
    return page(post, own);
  },
  out: '.',
  address,
};

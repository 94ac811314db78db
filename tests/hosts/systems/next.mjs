import { column, componentImport, components, html } from '../posts.mjs';

/** The project stands below what npm installed. */
const config = `import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
export default {
  output: 'export',
  basePath: '/deep/blog',
  trailingSlash: true,
  outputFileTracingRoot: root,
  turbopack: { root },
};
`;

/** Every page leads to every post. */
const layout = (posts) => `import './page.css';
import Link from 'next/link';

export const metadata = { title: 'A post', icons: 'data:,' };

export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>
    <nav>${posts.map(({ name }) => `<Link href="/${name}/">${name}</Link> `).join('')}</nav>
    <main>{children}</main>
  </body></html>;
}
`;

const page = (content) => `export default function Page() {
  return <>
${content}
  </>;
}
`;

export const next = {
  name: 'next',
  title: 'Next.js',
  from: 'next',
  forms: { element: 'html', frame: 'frame', import: true },
  common: { 'next.config.mjs': config, 'app/page.jsx': page('Home'), 'app/page.css': column },
  config: (posts) => ({ 'app/layout.tsx': layout(posts) }),
  files: (post) =>
    post.form === 'import'
      ? {
          [`app/${post.name}/page.tsx`]: componentImport + page(html({ snippets: components() })),
        }
      : { [`app/${post.name}/page.jsx`]: page(html(post)) },
  commands: () => [['next', 'build']],
  out: 'out',
  address: ({ name }) => `${name}/`,
  hasLinks: true,
};

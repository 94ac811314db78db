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

const layout = `import './page.css';

export const metadata = { title: 'A post', icons: 'data:,' };

export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body><main>{children}</main></body></html>;
}
`;

const home = (posts) => `import Link from 'next/link';

export default function Home() {
  return <>${posts.map(({ name }) => `<Link href="/${name}/">${name}</Link> `).join('')}</>;
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
  common: { 'next.config.mjs': config, 'app/layout.tsx': layout, 'app/page.css': column },
  config: (posts) => ({ 'app/page.jsx': home(posts) }),
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

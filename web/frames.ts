/**
 * frames.js: one script for all frames of a page, which makes each as high as its figure and tells
 * it the theme of the page. It stands alone, so that it needs neither CORS nor an inline script:
 *
 *   <script src="https://…/frames.js" async></script>
 */
import { watchTheme } from './figures/surroundings.ts';

/** The frames whose theme is watched. */
const watched = new WeakSet<HTMLIFrameElement>();

const isOurs = ({ src }: HTMLIFrameElement) => /\/(figure\/[\w-]+\/|embed\.html)/.test(src);

function follow(frame: HTMLIFrameElement) {
  if (watched.has(frame)) return;
  watched.add(frame);
  watchTheme(frame, ({ theme }) => sendTheme(frame, theme));
}

const themes = new WeakMap<HTMLIFrameElement, string>();

function sendTheme(frame: HTMLIFrameElement, theme: string) {
  themes.set(frame, theme);
  frame.contentWindow?.postMessage({ type: 'ropewalk-theme', theme }, '*');
}

addEventListener('message', ({ data, source }) => {
  const isReady = data?.type === 'ropewalk-ready';
  if (!isReady && data?.type !== 'ropewalk-height') return;
  const frames = [...document.querySelectorAll('iframe')];
  const frame = frames.find(({ contentWindow }) => contentWindow === source);
  if (!frame) return;
  if (isReady) {
    follow(frame);
    // A frame that loads again has forgotten it.
    sendTheme(frame, themes.get(frame)!);
  } else if (data.height > 0) frame.height = String(data.height);
});

// Frames that were there before this script.
for (const frame of document.querySelectorAll('iframe'))
  if (isOurs(frame)) frame.contentWindow?.postMessage({ type: 'ropewalk-hello' }, '*');

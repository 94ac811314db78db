/**
 * frames.js: one script for all frames of a page, which makes each as high as its figure and tells
 * it the theme of the page. It stands alone, so that it needs neither CORS nor an inline script:
 *
 *   <script src="https://…/frames.js" async></script>
 */
import { whenEndIsHidden } from './figures/end_hidden.ts';
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

/** What ends the wait of a frame that is to become lower. */
const waits = new WeakMap<HTMLIFrameElement, () => void>();

/** A frame grows at once. It shrinks where nothing in sight moves, or for a reader who is in it. */
function resize(frame: HTMLIFrameElement, height: number) {
  const apply = () => {
    frame.height = String(height);
  };
  waits.get(frame)?.();
  if (height >= frame.offsetHeight || document.activeElement === frame) apply();
  else
    waits.set(
      frame,
      whenEndIsHidden(frame, () => frame.offsetHeight - height, apply),
    );
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
  } else if (data.height > 0) resize(frame, data.height);
});

// Frames that were there before this script.
for (const frame of document.querySelectorAll('iframe'))
  if (isOurs(frame)) frame.contentWindow?.postMessage({ type: 'ropewalk-hello' }, '*');

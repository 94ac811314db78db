/** Pages of text alone: the reference and the guides. */
import { keepPlaceOfLink } from './arrival.ts';
import { copyButtons, followOldAnchor, startBar } from './page.ts';
import { startRail } from './rail.ts';

if (!followOldAnchor()) {
  copyButtons(document.documentElement.lang.startsWith('zh') ? '已复制' : 'Copied');
  startBar();
  startRail();
  keepPlaceOfLink();
  addEventListener('hashchange', followOldAnchor);
}

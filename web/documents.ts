/** Pages of text alone: the reference and the guides. */
import { copyButtons, themeButton } from './page.ts';

copyButtons(document.documentElement.lang.startsWith('zh') ? '已复制' : 'Copied');
themeButton(document.querySelector('#theme')!);

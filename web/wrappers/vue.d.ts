/** Makes <ropewalk-figure> known to templates of Vue: `import type {} from 'ropewalk/vue'`. */
import type { HTMLAttributes } from 'vue';
import type { FigureAttributes, FigureSettings } from '../elements.js';

declare module 'vue' {
  interface GlobalComponents {
    'ropewalk-figure': new () => {
      $props: Omit<HTMLAttributes, 'title'> & FigureAttributes & FigureSettings;
    };
  }
}

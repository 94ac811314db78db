/** Whether nothing may move: the reader prefers less motion, or the page goes onto paper. */
export const stillness = () => matchMedia('(prefers-reduced-motion: reduce), print');

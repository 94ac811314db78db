/** The lab has no job of its own: it shows the forward pass of the toy model. */
export { runLab } from '../../toy/forward.ts';

/** The lab's job: the forward pass of the toy model. */
export { runLab } from '../../toy/forward.ts';

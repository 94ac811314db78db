export { default } from './onnx_attention.mjs';

/**
 * Packages that the main package.json does not install: a command installs them on first use, into
 * its own folder. Their types are not checked, so that the check is the same in a clean checkout.
 */
declare module '@litertjs/core';
declare module '@tensorflow/tfjs-backend-cpu';
declare module '@tensorflow/tfjs-backend-wasm';
declare module '@tensorflow/tfjs-core';
declare module '@tensorflow/tfjs-core/dist/register_all_gradients.js';
declare module '@wllama/wllama';
declare module 'flatbuffers';
declare module 'onnxruntime-web';
declare module 'typedoc';

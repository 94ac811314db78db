export { default } from './attention.mjs';

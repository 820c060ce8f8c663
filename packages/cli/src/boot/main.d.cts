/** Types of the built file that the entry loads. */
export { main } from './main.js';

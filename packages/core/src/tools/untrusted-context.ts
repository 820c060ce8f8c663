/** For the tools; the text itself is also needed further down. */
export { wrapUntrusted } from '../base/untrusted-context.js';

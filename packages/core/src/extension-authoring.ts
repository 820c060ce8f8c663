/** Functions for authors of extensions, which `gemini extensions new` and `validate` need; loaded on first use. */
export { type NewExtension, newExtension, templateNames } from './extensions/templates/new-extension.js';

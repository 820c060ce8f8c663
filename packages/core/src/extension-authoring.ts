/** Functions for authors of extensions, which `gemini extensions new` and `validate` need; loaded on first use. */
export { describeCapabilities } from './extensions/capabilities/describe.js';
export { type NewExtension, newExtension, templateNames } from './extensions/templates/new-extension.js';
export {
  type InspectedExtension,
  inspectExtension,
  placeOfProblem,
} from './extensions/validate/validate-extension.js';

/** What `gemini extensions convert` and `import` need; loaded on first use. */
export { choicesOf } from './choices.js';
export { ConvertError } from './convert-error.js';
export { convertPluginFolder } from './convert-folder.js';
export { convertPlugin } from './convert-plugin.js';
export { type InstalledHome, installHome } from './home/install-home.js';
export { removeHome } from './home/remove-home.js';
export { readPlugin } from './read/read-plugin.js';
export { type ConversionReport, countRows, reportText } from './report.js';
export { type OpenedPlugins, openPlugins, type PluginRequest } from './source/open-plugins.js';
export type { ConvertOptions, ReportRow } from './types.js';
export { writeExtension } from './write/write-extension.js';

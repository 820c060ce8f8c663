/**
 * Loads ajv with the first foreign schema, synchronously: `tool.build()` cannot wait for an `import()`. In the bundled
 * program `scripts/lazy-libraries.mjs` puts the library into a file of its own and replaces this module.
 */
import { createRequire } from 'node:module';

export interface AjvLibrary {
  Ajv: typeof import('ajv').Ajv;
  Ajv2020: typeof import('ajv/dist/2020.js').Ajv2020;
  addFormats: typeof import('ajv-formats').default;
}

export function loadAjv(): AjvLibrary {
  const require = createRequire(import.meta.url);
  const { Ajv } = require('ajv') as typeof import('ajv');
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  return { Ajv, Ajv2020, addFormats };
}

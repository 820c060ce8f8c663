/** Where the built program is, and its compiled code, shared by everything that starts it in a fresh home. */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompiledCode } from './compiled-code.js';

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The program under test: the output of `node scripts/build.mjs`, or an installed copy. */
export const BUNDLE = process.env['BUNDLE_UNDER_TEST'] ?? join(REPOSITORY, 'packages/cli/dist/gemini.cjs');

export const compiledCode = new CompiledCode(join(REPOSITORY, 'node_modules/.cache/compiled-code'), BUNDLE);

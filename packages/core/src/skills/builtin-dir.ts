/** Where our own skills lie: beside the built code, or in the source folder. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBuiltFile } from '../platform/built-file.js';

export function builtinSkillsDir(): string {
  return findBuiltFile('builtin-skills') ?? join(dirname(fileURLToPath(import.meta.url)), 'builtin');
}

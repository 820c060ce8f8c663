/** The built program loads libraries at first use from files beside it, without installed packages. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../packages/cli/dist');

let copy: string;
beforeAll(() => {
  copy = join(realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dist-'))), 'dist');
  cpSync(DIST, copy, { recursive: true });
});
afterAll(() => rmSync(join(copy, '..'), { recursive: true }));

it('foreign tool schemas are checked with the ajv beside the engine', () => {
  expect(readFileSync(join(copy, 'engine.cjs'), 'utf8')).toContain('"./chunks/ajv-library.cjs"');
  // The engine is a function that the entry calls (packages/cli/src/boot/code-cache.ts).
  const script = `
    const { readFileSync } = require('node:fs');
    const { resolve } = require('node:path');
    const { Script } = require('node:vm');
    const file = resolve('engine.cjs');
    const engine = require.cache[file] = new module.constructor(file);
    new Script(readFileSync(file, 'latin1')).runInThisContext()(engine.exports, require, engine, file, resolve('.'));
    const { Ajv, Ajv2020, addFormats } = require('./chunks/ajv-library.cjs');
    const results = [Ajv, Ajv2020].map((Class) => {
      const ajv = addFormats(new Class());
      const validate = ajv.compile({ type: 'string', format: 'email' });
      return [validate('a@b.example'), validate('x')];
    });
    console.log(JSON.stringify(results));`;
  const output = execFileSync(process.execPath, ['-e', script], { cwd: copy, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([
    [true, false],
    [true, false],
  ]);
});

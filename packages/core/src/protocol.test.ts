import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('exports every file of the protocol, so that a front end needs no other import', () => {
  const source = readFileSync(join(import.meta.dirname, 'protocol.ts'), 'utf8');
  const exported = [...source.matchAll(/'\.\/protocol\/(.+)\.js'/g)].map(([, name]) => name);
  const files = readdirSync(join(import.meta.dirname, 'protocol')).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.'),
  );
  expect(exported).toEqual(files.map((name) => name.replace(/\.ts$/, '')).sort());
});

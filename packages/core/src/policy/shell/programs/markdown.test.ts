/** Tests that docs/policies.md prints the current tables. `UPDATE_DOCS=1` rewrites them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programsInMarkdown, variablesInMarkdown } from './markdown.test-helper.js';

const page = fileURLToPath(new URL('../../../../../../docs/policies.md', import.meta.url));

it.each([
  ['programs', programsInMarkdown],
  ['variables', variablesInMarkdown],
])('docs/policies.md prints the table of %s', (name, print) => {
  const text = readFileSync(page, 'utf8');
  const [start, end] = [`<!-- ${name}: made from the source -->\n`, `\n<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)];
  expect(from).toBeGreaterThan(start.length);
  expect(to).toBeGreaterThan(from - 1);
  if (process.env['UPDATE_DOCS']) writeFileSync(page, text.slice(0, from) + print() + text.slice(to));
  else expect(text.slice(from, to)).toBe(print());
});

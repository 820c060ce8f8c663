// Writes the files generated from the settings tables: the JSON schema for editors and the page in docs/.
// Run with tsx, as the tables are TypeScript.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from '../packages/core/src/settings/reference/generated-files.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
for (const { path, content } of generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  console.log(path);
}

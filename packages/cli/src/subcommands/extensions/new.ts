/** `gemini extensions new <path> [template]`: makes the folder of a new extension. */
import { resolve } from 'node:path';
import { loadExtensionAuthoring } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand } from '../subcommand.js';

const run: Subcommand = async (args, io) => {
  const words = args.filter((arg) => arg !== '-d' && arg !== '--debug');
  const flag = words.find((word) => word.startsWith('-'));
  const [path = '', template, ...more] = words;
  const { newExtension, templateNames } = await loadExtensionAuthoring();
  if (flag !== undefined || path.trim() === '' || more.length > 0) {
    const problem = flag === undefined ? '' : `unknown argument "${oneLine(flag)}". `;
    io.stderr(
      `gemini extensions: ${problem}Use: gemini extensions new <path> [template]. Templates: ${templateNames().join(', ')}.`,
    );
    return 1;
  }
  const made = newExtension(resolve(currentDirectory(), path), template);
  const from = template === undefined ? '' : ` from the template ${template}`;
  io.stdout(`Created the extension "${made.name}"${from} in ${oneLine(made.path)}:\n`);
  for (const file of made.files) io.stdout(`  ${file}\n`);
  if (made.files.includes('package.json'))
    io.stdout(`\nInstall what it needs: cd ${quoted(path)} && npm install\n`);
  io.stdout(`\nTry it in the next session: gemini extensions link ${quoted(path)}\n`);
  return 0;
};

export default run;

function quoted(path: string): string {
  const shown = oneLine(path);
  return /^[\w./:\\~-]+$/.test(shown) ? shown : `"${shown}"`;
}

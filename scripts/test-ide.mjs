// `npm run test:ide`: the program and its companion in a real editor. `--built` tests the build that is there.
// `UPDATE_DOCS=1` also takes the pictures of docs/ide-companion.md. What cannot be installed fails the run.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './build.mjs';
import { installCodeServer } from './code-server.mjs';
import { installMissing } from './needed-programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
if (!installMissing({ bash: 'bash', chromium: 'chromium' })) process.exit(1);
installCodeServer(root);
if (!process.argv.includes('--built')) await buildProgram();
const words = process.argv.slice(2).filter((word) => word !== '--built');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const config = join(root, 'integration-tests/real-editor/vitest.config.ts');
const run = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...words], {
  cwd: root,
  stdio: 'inherit',
  env: ownEnvironment(),
});
process.exit(run.status ?? 1);

/** Without what the caller's editor or settings say. */
function ownEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(GEMINI_|GOOGLE_|VSCODE_|TERM_PROGRAM|DEBUG)/.test(name),
    ),
  );
}

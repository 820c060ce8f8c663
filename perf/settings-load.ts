/**
 * One process, one measurement: `read` reads the files plainly, `load` does what the program does with them at its
 * start. Bundled by settings-rows.ts; prints milliseconds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { loadEnvFile } from '../packages/core/src/settings/env/env-file.js';
import { LoadedSettings } from '../packages/core/src/settings/loaded-settings.js';
import { setting } from '../packages/core/src/settings/schema/index.js';
import { decideTrust, TrustedFolders } from '../packages/core/src/settings/trust/trust.js';

const { env } = process;
const cwd = process.cwd();
const home = env['GEMINI_CLI_HOME'] ?? '';
const started = performance.now();
if (process.argv[2] === 'read') read();
else load();
console.log(performance.now() - started);

function read(): void {
  const files = [
    env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ?? '',
    join(home, '.gemini/settings.json'),
    join(cwd, '.gemini/settings.json'),
    join(home, '.gemini/trustedFolders.json'),
    join(cwd, '.gemini/.env'),
    join(cwd, '.env'),
    join(home, '.gemini/.env'),
  ];
  for (const file of files) if (existsSync(file)) readFileSync(file, 'utf8');
}

function load(): void {
  const settings = LoadedSettings.read({ cwd, env });
  const folders = TrustedFolders.load(env);
  const featureEnabled = setting(settings.merged, 'security.folderTrust.enabled');
  const { trusted } = decideTrust({ folder: cwd, env, skipTrust: false, featureEnabled, folders });
  const excluded = setting(settings.merged, 'advanced.excludedEnvVars');
  const { variables } = loadEnvFile({ cwd, env, trusted, excluded, ignoreLocal: false });
  settings.activate({ trusted, env: { ...env, ...variables } });
  if (settings.problems.length > 0) throw new Error(JSON.stringify(settings.problems[0]));
  if (!trusted || Object.keys(variables).length === 0) throw new Error('not everything was loaded');
}

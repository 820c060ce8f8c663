/** Bundles a small program around `requestedSandbox` for tests that start it. */
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** Its one argument is JSON with the request; it prints nothing of its own. */
export const RELAUNCH = `
import { requestedSandbox } from './sandbox-relaunch.js';
const { flag, setting, args, input, keyVariables = [] } = JSON.parse(process.argv[2]);
requestedSandbox({
  env: process.env, cwd: process.cwd(), flag, setting, args,
  allowedPaths: [], includeDirectories: [], projectDirectories: [], keyVariables, defaultImage: 'default-image:1', isTerminal: false,
}).then((enter) => enter?.({ input, notify: (text) => process.stderr.write(text + '\\n') })).then(
  (code) => { process.exitCode = code ?? 99; },
  (error) => { process.stderr.write(error.name + ': ' + error.message); process.exitCode = error.exitCode ?? 98; },
);
`;

/** @returns the folder of `driver.cjs`, which the test removes */
export async function bundleDriver(contents: string, tomlPlugin: Plugin): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'relaunch-bundle-'));
  chmodSync(folder, 0o755);
  await build({
    stdin: { contents, resolveDir: here, loader: 'ts' },
    outfile: join(folder, 'driver.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    alias: { '@gemini-cli/core': join(here, '../../../core/src/index.ts') },
    loader: { '.md': 'text' },
    plugins: [tomlPlugin],
    define: { __VERSION__: '"0"', __DEV__: 'true' },
    logLevel: 'silent',
  });
  return folder;
}

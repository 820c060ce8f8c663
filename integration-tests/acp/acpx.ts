/** `acpx`, a client of the protocol that others wrote, on the Node it needs. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BUNDLE, type RunResult, type TestRig } from '../test-utils.js';

const NODE = join(import.meta.dirname, '../../node_modules/.cache/node-runtimes/22.23.3/node');
const CLI = join(dirname(createRequire(import.meta.url).resolve('acpx/package.json')), 'dist/cli.js');

/** Runs it to its end, with the built program as its agent; its state is below the rig's home. */
export function acpx(rig: TestRig, ...args: string[]): Promise<RunResult> {
  if (!existsSync(NODE)) throw new Error(`${NODE} is missing: "npm test" installs it.`);
  const agent = `${process.execPath} ${BUNDLE} --acp`;
  return rig.run(NODE, [CLI, '--agent', agent, '--cwd', rig.workspace, ...args], { timeoutMs: 60_000 });
}

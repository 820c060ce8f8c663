/** Tests whether bubblewrap isolates the whole program on this machine. */
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, type Variables } from '../../environment.js';
import { realPathOf } from '../../files/real-path.js';
import { probeIsolation } from '../linux/isolation-probe.js';
import { MountPlan } from '../linux/mount-plan.js';
import { refusalOfBwrap } from '../linux/try-bwrap.js';
import type { SandboxedCommand, SandboxRequest } from '../types.js';
import { startBubblewrap } from './bubblewrap.js';
import type { BubblewrapProblem } from './select.js';
import { definedVariables } from './whole-process.js';

export async function bubblewrapProblem(env: Variables): Promise<BubblewrapProblem | undefined> {
  const temporary = temporaryDirectory(env);
  const wrap = ({ policy, command, args, cwd, env: inside }: SandboxRequest): Promise<SandboxedCommand> => {
    const plan = new MountPlan();
    plan.add('/tmp', 'private');
    for (const path of policy.readOnlyPaths) plan.add(path, 'readonly');
    for (const path of policy.workspace) plan.add(path, 'writable');
    for (const path of policy.forbiddenPaths) plan.forbid(path, lstatSync(path).isDirectory());
    const start = {
      env,
      cwd,
      uid: process.getuid?.() ?? 0,
      temporaryDirectory: temporary,
      networkAccess: false,
    };
    return startBubblewrap({ ...start, plan, program: [command, ...args] }, definedVariables(inside)).then(
      ({ close, ...started }) => ({ ...started, cleanup: close }),
    );
  };
  const probe = async () => {
    const directory = realPathOf(mkdtempSync(join(temporary, 'gemini-probe-')));
    return probeIsolation(directory, wrap).finally(() => rmSync(directory, { recursive: true, force: true }));
  };
  return refusalOfBwrap({ variables: env }, { unixSockets: true, probe, change: () => false });
}

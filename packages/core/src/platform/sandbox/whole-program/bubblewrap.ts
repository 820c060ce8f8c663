/** Runs the whole program in bubblewrap: no daemon and no image are needed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FatalSandboxError } from '../../../base/errors.js';
import { realPathOf } from '../../files/real-path.js';
import { tryReadText } from '../../files/try-read.js';
import type { MountPlan } from '../linux/mount-plan.js';
import { prepareOwnFiles, writeFilter } from '../linux/own-files.js';
import { NO_BWRAP } from '../linux/refusals.js';
import { findBwrap } from '../linux/try-bwrap.js';
import { programCommand } from './bubblewrap-command.js';
import { bubblewrapVariables } from './bubblewrap-env.js';
import { programView } from './bubblewrap-view.js';
import { namedMounts } from './container-mounts.js';
import type { SandboxConfig } from './select.js';
import type { SandboxSession, WholeProcessSources } from './whole-process.js';

/** @throws FatalSandboxError */
export async function openBubblewrap(
  config: SandboxConfig,
  sources: WholeProcessSources,
): Promise<SandboxSession> {
  const { env, self, args } = sources;
  return startBubblewrap(
    {
      ...sources,
      networkAccess: config.networkAccess,
      plan: programView(config, sources),
      mounts: namedMounts(env['SANDBOX_MOUNTS']).flatMap(({ from, to, options }) => [
        options?.split(',').includes('rw') ? '--bind' : '--ro-bind',
        from,
        to,
      ]),
      program: [...self, ...args],
    },
    bubblewrapVariables(sources),
  );
}

interface Start extends Pick<WholeProcessSources, 'env' | 'cwd' | 'uid' | 'temporaryDirectory'> {
  networkAccess: boolean;
  plan: MountPlan;
  /** Further arguments of bubblewrap. */
  mounts?: readonly string[];
  program: readonly string[];
}

export async function startBubblewrap(start: Start, inside: Record<string, string>): Promise<SandboxSession> {
  const bwrap = findBwrap({ variables: start.env });
  if (!bwrap) throw new FatalSandboxError(`${NO_BWRAP.reason} ${NO_BWRAP.remedy}`);
  // Not below our own directory, of which a part is writable inside.
  const directory = realPathOf(mkdtempSync(join(start.temporaryDirectory, 'gemini-sandbox-')));
  const close = async () => rmSync(directory, { recursive: true, force: true });
  try {
    const { empty } = prepareOwnFiles(directory);
    const report = join(directory, 'report');
    const launch = {
      bwrap,
      filter: writeFilter(directory, { unixSockets: true, aroundProgram: true }),
      report,
      mounts: [...start.plan.arguments(empty), ...(start.mounts ?? [])],
      cwd: realPathOf(start.cwd),
      networkAccess: start.networkAccess,
      isRoot: start.uid === 0,
    };
    const command = programCommand(launch, start.program);
    return { ...command, env: inside, programPid: () => programIn(report), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The program is the first child of bubblewrap's own first process. */
function programIn(report: string): number | undefined {
  const init = /"child-pid":\s*(\d+)/.exec(tryReadText(report) ?? '')?.[1];
  const children = init && tryReadText(`/proc/${init}/task/${init}/children`);
  const [first = ''] = (children ?? '').trim().split(' ');
  return first === '' ? undefined : Number(first);
}

/** Runs a hook with just the rights that its extension declares, and says what it was refused. */
import { UserError } from '../../base/errors.js';
import type { RightsLoader } from '../../platform/sandbox/rights/create-rights.js';
import { describeUses, notStarted } from '../../platform/sandbox/rights/describe-use.js';
import { programsOfLine } from '../../platform/sandbox/rights/named-programs.js';
import { safeVariables } from '../../platform/sandbox/rights/rights-environment.js';
import type { RefusedUse } from '../../platform/sandbox/rights/types.js';
import { SandboxError } from '../../platform/sandbox/types.js';
import { hookName } from '../registry.js';
import type { CommandHookConfig } from '../types.js';
import { type CommandOutcome, type CommandRun, runCommand } from './run-command.js';

export interface RestrictedPlaces {
  rights: RightsLoader;
  home: string;
  /** Declared relative paths start here. */
  workspace: string;
}

export interface RestrictedOutcome {
  /** Absent: it was not started. */
  outcome?: CommandOutcome;
  /** For the user, one line each. */
  told: readonly string[];
}

export async function runRestricted(
  config: CommandHookConfig,
  run: CommandRun,
  { rights: load, home, workspace }: RestrictedPlaces,
): Promise<RestrictedOutcome> {
  const { rights } = config;
  if (!rights) throw new UserError(`The hook ${hookName(config)} has no declared rights.`, { code: 'hook' });
  const part = { extension: rights.extension, part: `hook "${hookName(config)}"`, home };
  const uses: RefusedUse[] = [];
  const sandbox = await load();
  try {
    const boxed = await sandbox.restrict({
      command: run.file,
      args: run.args,
      cwd: run.cwd,
      env: { ...safeVariables(run.env), ...config.env },
      rights,
      programs: programsOfLine(config.command),
      workspace,
      onRefused: (use) => uses.push(use),
    });
    const started = { ...run, file: boxed.command, args: boxed.args, env: boxed.env, sandbox: boxed };
    const outcome = await runCommand(started);
    // It has ended, so what it printed last is a line too.
    boxed.readErrors(`${outcome.stderr}\n`);
    return { outcome, told: describeUses(uses, part) };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return { told: [notStarted(part, error.message)] };
  }
}

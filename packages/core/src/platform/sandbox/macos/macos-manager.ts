/** Sandboxes commands on macOS with Seatbelt (`sandbox-exec`), with a profile per command. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { homeOf, temporaryDirectory, type Variables } from '../../environment.js';
import { realPathOf } from '../../files/real-path.js';
import { runProcess } from '../../process/process-runner.js';
import { limitScript } from '../linux/limits.js';
import {
  DEFAULT_LIMITS,
  type SandboxCheck,
  SandboxError,
  type SandboxedCommand,
  type SandboxManager,
  type SandboxPolicy,
  type SandboxRequest,
} from '../types.js';
import { definedVariables } from '../whole-program/whole-process.js';
import { commandProfile } from './macos-profile.js';

export interface MacOsSandboxOptions {
  /** Path of `sandbox-exec`. */
  program?: string;
  /** The user's environment: HOME, TMPDIR. */
  variables: Variables;
}

const REMEDY = 'Disable security.toolSandboxing, or run the program in a container.';
const PROBE_TIMEOUT_MS = 15_000;

export class MacOsSandboxManager implements SandboxManager {
  private checked: Promise<SandboxCheck> | undefined;

  constructor(private readonly options: MacOsSandboxOptions) {}

  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut();
    return this.checked;
  }

  async wrap(request: SandboxRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private isolate({ command, args, env, policy }: SandboxRequest): SandboxedCommand {
    if (typeof policy.network === 'object') {
      throw new SandboxError(
        'On macOS a sandboxed command has the whole network or none; a list of hosts is not possible.',
        'Allow the network for this command, or run it without.',
      );
    }
    const profile = commandProfile(realPolicy(policy), {
      home: realPathOf(homeOf(this.options.variables)),
      temporary: [...new Set([realPathOf(this.temporary()), '/private/tmp'])],
    });
    return {
      command: this.program(),
      args: ['-p', profile, '/bin/sh', '-c', limitScript(policy.limits), command, ...args],
      env: definedVariables(env),
      cleanup: async () => {},
    };
  }

  /** Tests that a file outside cannot be written and one inside can. */
  private async tryOut(): Promise<SandboxCheck> {
    if (!existsSync(this.program())) return refusal(`${this.program()} is missing`);
    const base = realPathOf(mkdtempSync(join(this.temporary(), 'gemini-sandbox-probe-')));
    const [work, canary] = [join(base, 'work'), join(base, 'canary')];
    try {
      mkdirSync(work);
      writeFileSync(canary, 'untouched');
      const { command, args, env } = this.isolate({
        command: '/bin/sh',
        args: ['-c', `echo broken > ${canary}; echo done > ${work}/written; cat ${canary}; echo end`],
        cwd: work,
        env: { PATH: '/usr/bin:/bin' },
        policy: { ...PROBE_POLICY, workspace: [work], forbiddenPaths: [canary] },
      });
      const result = await runProcess(command, args, { cwd: work, env, timeoutMs: PROBE_TIMEOUT_MS });
      const isIsolated =
        result.stdout === 'end\n' &&
        readFileSync(canary, 'utf8') === 'untouched' &&
        existsSync(join(work, 'written'));
      if (isIsolated) return { ok: true, notes: [] };
      const said = result.error?.message ?? result.stderr.trim().split('\n')[0];
      return refusal(`sandbox-exec does not isolate (${said})`);
    } catch (error) {
      return refusal(messageOf(error));
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }

  private temporary(): string {
    return temporaryDirectory(this.options.variables);
  }

  private program(): string {
    return this.options.program ?? '/usr/bin/sandbox-exec';
  }
}

const PROBE_POLICY: SandboxPolicy = {
  workspace: [],
  readOnlyPaths: [],
  writablePaths: [],
  forbiddenPaths: [],
  network: 'off',
  workspaceWritable: true,
  allowGitWrites: false,
  limits: DEFAULT_LIMITS,
};

function realPolicy(policy: SandboxPolicy): SandboxPolicy {
  return {
    ...policy,
    workspace: policy.workspace.map(realPathOf),
    readOnlyPaths: policy.readOnlyPaths.map(realPathOf),
    writablePaths: policy.writablePaths.map(realPathOf),
    forbiddenPaths: policy.forbiddenPaths.map(realPathOf),
  };
}

function refusal(why: string): SandboxCheck {
  return { ok: false, reason: `Commands cannot be sandboxed: ${why}.`, remedy: REMEDY };
}

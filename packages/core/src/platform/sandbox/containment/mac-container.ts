/** Contains commands on macOS with Seatbelt (`sandbox-exec`). */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { homeOf, temporaryDirectory, type Variables } from '../../environment.js';
import { realPathOf } from '../../files/real-path.js';
import { runProcess } from '../../process/process-runner.js';
import { globalGeminiDir } from '../../storage/storage.js';
import { limitScript } from '../linux/limits.js';
import { splitEnvironment } from '../split-environment.js';
import { type SandboxCheck, SandboxError, type SandboxedCommand } from '../types.js';
import { containedProfile } from './mac-profile.js';
import { CONTAINED_LIMITS, type Container, type ContainRequest } from './types.js';

export interface MacContainerOptions {
  variables: Variables;
  /** Path of `sandbox-exec`. */
  program?: string;
}

const REMEDY = 'Check sandbox-exec on this machine, or run the program in a container.';
const PROBE_TIMEOUT_MS = 15_000;

export class MacContainer implements Container {
  private checked: Promise<SandboxCheck> | undefined;

  constructor(private readonly options: MacContainerOptions) {}

  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut();
    return this.checked;
  }

  problemOf({ kind, workspace }: Pick<ContainRequest, 'kind' | 'workspace'>): string | undefined {
    return kind === 'workspace' && workspace.includes('/')
      ? 'The whole file system is the workspace.'
      : undefined;
  }

  async contain(request: ContainRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private isolate(request: ContainRequest): SandboxedCommand {
    const { variables } = this.options;
    const profile = containedProfile(request, {
      home: realPathOf(homeOf(variables)),
      own: [realPathOf(globalGeminiDir(variables))],
    });
    const { outside, inside } = splitEnvironment(request.env);
    const script = limitScript(CONTAINED_LIMITS, false);
    return {
      command: this.program(),
      args: ['-p', profile, '/bin/sh', '-c', script, request.command, ...request.args],
      env: { ...outside, ...inside },
      cleanup: async () => {},
    };
  }

  /** Tests that a file outside cannot be written and a hidden one cannot be read. */
  private async tryOut(): Promise<SandboxCheck> {
    if (!existsSync(this.program())) return refusal(`${this.program()} is missing`);
    const base = realPathOf(mkdtempSync(join(temporaryDirectory(this.options.variables), 'gemini-contain-')));
    const [work, canary, hidden] = [join(base, 'work'), join(base, 'canary'), join(base, 'hidden')];
    try {
      mkdirSync(work);
      writeFileSync(canary, 'untouched');
      writeFileSync(hidden, 'hidden');
      const { command, args, env } = this.isolate({
        command: '/bin/sh',
        args: ['-c', `echo broken > ${canary}; echo broken > ${work}/new; cat ${hidden}; echo end`],
        cwd: work,
        env: { PATH: '/usr/bin:/bin' },
        kind: 'read-only',
        workspace: [work],
        visiblePaths: [],
        hiddenPaths: [hidden],
        trackedEnvFiles: async () => [],
      });
      const result = await runProcess(command, args, { cwd: work, env, timeoutMs: PROBE_TIMEOUT_MS });
      const isContained =
        result.stdout === 'end\n' &&
        readFileSync(canary, 'utf8') === 'untouched' &&
        !existsSync(join(work, 'new'));
      return isContained ? { ok: true, notes: [] } : refusal(result.error?.message ?? result.stderr.trim());
    } catch (error) {
      return refusal(messageOf(error));
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }

  private program(): string {
    return this.options.program ?? '/usr/bin/sandbox-exec';
  }
}

function refusal(said: string): SandboxCheck {
  const [first = ''] = said.split('\n');
  return { ok: false, reason: `Commands cannot be contained: ${first.slice(0, 300)}.`, remedy: REMEDY };
}

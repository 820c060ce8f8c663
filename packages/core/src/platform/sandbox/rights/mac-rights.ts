/** Runs processes with declared rights on macOS: Seatbelt (`sandbox-exec`) and our proxy on the loopback address. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { homeOf, temporaryDirectory, type Variables } from '../../environment.js';
import { isInside, realPathOf } from '../../files/real-path.js';
import { runProcess } from '../../process/process-runner.js';
import type { MountKind } from '../linux/mount-plan.js';
import { PROXY_VARIABLES } from '../network/proxy-bridge.js';
import { splitEnvironment } from '../split-environment.js';
import { type SandboxCheck, SandboxError } from '../types.js';
import { declaredPaths } from './declared-paths.js';
import { macRightsProfile } from './mac-rights-profile.js';
import { programFiles } from './programs.js';
import { Refusals } from './refusals.js';
import { rightsProxy } from './rights-proxy.js';
import type { RestrictedCommand, RightsRequest, RightsSandbox } from './types.js';

export interface MacRightsOptions {
  variables: Variables;
  /** Path of `sandbox-exec`. */
  program?: string;
}

const REMEDY = 'Check sandbox-exec on this machine.';
const PROBE_TIMEOUT_MS = 15_000;

export class MacRightsSandbox implements RightsSandbox {
  private checked: Promise<SandboxCheck> | undefined;

  constructor(private readonly options: MacRightsOptions) {}

  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut();
    return this.checked;
  }

  async restrict(request: RightsRequest): Promise<RestrictedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private async isolate(request: RightsRequest): Promise<RestrictedCommand> {
    const { rights, command, cwd } = request;
    const { capabilities } = rights;
    const home = realPathOf(homeOf(this.options.variables));
    const extensionPath = realPathOf(rights.extensionPath);
    const workspace = realPathOf(request.workspace);
    const { read, write, refused } = declaredPaths(capabilities.files, { home, workspace, extensionPath });
    const { files, folders } = programFiles(
      ['/bin/sh', command, ...request.programs, ...capabilities.executables],
      { path: request.env['PATH'], cwd, home },
    );
    const temporary = realPathOf(
      mkdtempSync(join(temporaryDirectory(this.options.variables), 'gemini-rights-')),
    );
    const kindAt = (path: string): MountKind => {
      if ([temporary, ...write].some((folder) => isInside(path, folder))) return 'writable';
      const readable = [extensionPath, ...read, ...files, ...folders];
      return readable.some((folder) => isInside(path, folder)) ? 'readonly' : 'hidden';
    };
    const refusals = new Refusals({
      ...{ kindAt, path: request.env['PATH'], hosts: capabilities.network },
      onRefused: request.onRefused,
    });
    for (const { path, why } of refused) refusals.tell({ kind: 'path', path, why });
    const proxy = rightsProxy({
      hosts: capabilities.network,
      onRefused: (host) => refusals.refusedHost(host),
    });
    const proxyPort = await proxy.listenOnLoopback();
    const profile = macRightsProfile({
      ...{ home, extensionPath, temporary, read, write, proxyPort },
      programs: files,
      libraries: folders,
    });
    const { outside, inside } = splitEnvironment(request.env);
    const url = `http://127.0.0.1:${proxyPort}`;
    const proxies = Object.keys(PROXY_VARIABLES).filter((name) => /_proxy$/i.test(name));
    return {
      command: this.program(),
      args: ['-p', profile, command, ...request.args],
      env: {
        ...outside,
        ...inside,
        ...Object.fromEntries(proxies.map((name) => [name, /^no_/i.test(name) ? '' : url])),
        ...{ NODE_USE_ENV_PROXY: '1', TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      },
      readErrors: (text) => refusals.readErrors(text),
      cleanup: async () => {
        refusals.endErrors();
        await proxy.close();
        rmSync(temporary, { recursive: true, force: true });
      },
    };
  }

  /** Tests that a file outside can be neither read nor written. */
  private async tryOut(): Promise<SandboxCheck> {
    if (!existsSync(this.program())) return refusal(`${this.program()} is missing`);
    const base = realPathOf(mkdtempSync(join(temporaryDirectory(this.options.variables), 'gemini-rights-')));
    const [work, canary] = [join(base, 'work'), join(base, 'canary')];
    try {
      mkdirSync(work);
      writeFileSync(canary, 'untouched');
      const { command, args, env, cleanup } = await this.isolate({
        command: '/bin/sh',
        args: ['-c', `read line < ${canary} && echo "$line"; echo broken > ${canary}; echo end`],
        cwd: work,
        env: { PATH: '/usr/bin:/bin' },
        workspace: work,
        programs: [],
        rights: {
          extension: 'probe',
          extensionPath: work,
          capabilities: { files: { read: [], write: [] }, network: [], executables: [] },
        },
        onRefused: () => {},
      });
      const result = await runProcess(command, args, { cwd: work, env, timeoutMs: PROBE_TIMEOUT_MS });
      await cleanup();
      const isRestricted = result.stdout === 'end\n' && readFileSync(canary, 'utf8') === 'untouched';
      return isRestricted ? { ok: true, notes: [] } : refusal(result.error?.message ?? result.stderr.trim());
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
  return { ok: false, reason: `Rights cannot be restricted: ${first.slice(0, 300)}.`, remedy: REMEDY };
}

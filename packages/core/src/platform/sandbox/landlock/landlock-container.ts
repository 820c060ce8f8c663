/** Contains read-only commands where bubblewrap does not work: with Landlock and seccomp, set up by perl. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { shellQuote } from '../../../base/shell-words.js';
import { homeOf, type Variables } from '../../environment.js';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { isInside, realPathOf } from '../../files/real-path.js';
import { findProgram } from '../../process/find-program.js';
import { runProcess } from '../../process/process-runner.js';
import { globalGeminiDir } from '../../storage/storage.js';
import { cachingReader } from '../containment/directory-cache.js';
import { guardTree } from '../containment/guard.js';
import { CONTAINED_LIMITS, type Container, type ContainRequest } from '../containment/types.js';
import { limitScript } from '../linux/limits.js';
import { writeFilter } from '../linux/own-files.js';
import { seccompFilter } from '../linux/seccomp.js';
import { envFilesAndEnvrc } from '../paths/env-files.js';
import { secretPaths } from '../paths/hidden-paths.js';
import { splitEnvironment } from '../split-environment.js';
import { type SandboxCheck, SandboxError, type SandboxedCommand } from '../types.js';
import { readableBeside } from './grants.js';
import { launcherArguments } from './launcher.js';

export interface LandlockOptions {
  variables: Variables;
  stateDirectory?: string;
}

const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty'];
const PROBE_TIMEOUT_MS = 15_000;

export class LandlockContainer implements Container {
  /** Landlock cannot allow new files in the workspace without also allowing them in `.git`. */
  readonly kinds = ['read-only'] as const;
  private readonly globalDir: string;
  private readonly directory: string;
  private readonly read = cachingReader();
  private checked: Promise<SandboxCheck> | undefined;
  private filterFile: string | undefined;

  constructor(private readonly options: LandlockOptions) {
    this.globalDir = globalGeminiDir(options.variables);
    this.directory = options.stateDirectory ?? join(this.globalDir, 'tmp', 'sandbox');
  }

  check(): Promise<SandboxCheck> {
    this.checked ??= this.tryOut().catch((error: unknown) => refusal(messageOf(error)));
    return this.checked;
  }

  problemOf(): string | undefined {
    return undefined;
  }

  async contain(request: ContainRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!check.ok) throw new SandboxError(check.reason, check.remedy);
    return this.isolate(request);
  }

  private async isolate(request: ContainRequest): Promise<SandboxedCommand> {
    const { kind, workspace, visiblePaths, hiddenPaths, trackedEnvFiles } = request;
    const perl = findProgram('perl', undefined);
    const { arch } = process;
    if (kind !== 'read-only' || !perl || (arch !== 'x64' && arch !== 'arm64'))
      throw new SandboxError(
        'Landlock cannot contain this command.',
        'Install bubblewrap (apt install bubblewrap).',
      );
    preparePrivateDirectory(this.directory);
    this.filterFile ??= writeFilter(this.directory, { unixSockets: false, withoutNamespaces: true });
    const secrets = secretPaths(
      homeOf(this.options.variables),
      [this.globalDir, this.directory],
      this.options.variables,
    );
    const found = workspace.flatMap((path) => envFilesAndEnvrc(path, this.read)).map(({ path }) => path);
    const tracked = found.length > 0 ? await trackedEnvFiles(found) : [];
    const forbidden = hiddenPaths.map(realPathOf);
    const hidden = [
      '/dev',
      ...secrets.map(({ path }) => path).filter((path) => !workspace.includes(path)),
      ...found.filter((path) => !tracked.includes(path)),
      ...forbidden,
    ];
    const visible = visiblePaths.map(realPathOf).filter((path) => existsSync(path));
    const isOpen = (path: string) => !forbidden.some((item) => isInside(item, path) || isInside(path, item));
    const { outside, inside } = splitEnvironment(request.env);
    const variables = Object.entries(inside).map(([name, value]) => `${name}=${value}`);
    const command = ['/bin/sh', '-c', limitScript(CONTAINED_LIMITS, false), request.command, ...request.args];
    const rules = {
      readable: [...readableBeside(hidden, this.read), ...visible.filter(isOpen)],
      devices: DEVICES,
    };
    const withVariables = variables.length > 0 ? ['/usr/bin/env', ...variables, ...command] : command;
    return {
      command: perl,
      args: launcherArguments(arch, this.filterFile, rules, withVariables),
      env: outside,
      cleanup: async () => {},
      watch: guardTree,
    };
  }

  /** Tests that a command cannot write one file, read another or reach a socket. */
  private async tryOut(): Promise<SandboxCheck> {
    const perl = findProgram('perl', undefined);
    if (!perl) return refusal('perl is not installed');
    if (!seccompFilter(process.arch, { unixSockets: false })) return refusal('the processor is not known');
    preparePrivateDirectory(this.directory);
    const base = realPathOf(mkdtempSync(join(this.directory, 'probe-')));
    const [work, canary, secret] = [join(base, 'work'), join(base, 'canary'), join(base, 'secret')];
    const server = createServer();
    try {
      mkdirSync(work);
      writeFileSync(canary, 'untouched');
      writeFileSync(secret, 'a secret');
      const port = await new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : 0);
        });
      });
      let isReached = false;
      server.on('connection', () => {
        isReached = true;
      });
      const script = probeScript(perl, { canary: shellQuote(canary), secret: shellQuote(secret), port });
      const { command, args, env } = await this.isolate({
        command: '/bin/sh',
        args: ['-c', script],
        cwd: work,
        env: { PATH: '/usr/bin:/bin' },
        kind: 'read-only',
        workspace: [work],
        visiblePaths: [base],
        hiddenPaths: [secret],
        trackedEnvFiles: async () => [],
      });
      const result = await runProcess(command, args, { cwd: work, env, timeoutMs: PROBE_TIMEOUT_MS });
      const isUnchanged = readFileSync(canary, 'utf8') === 'untouched' && !existsSync(`${canary}.new`);
      if (!isUnchanged || isReached || result.stdout.includes('a secret'))
        return refusal('the test command was not contained');
      return result.stdout.endsWith('end\n') ? { ok: true, notes: [] } : refusal(result.stderr.trim());
    } finally {
      server.close();
      rmSync(base, { recursive: true, force: true });
    }
  }
}

/** Perl connects, because most `sh` have no /dev/tcp. */
export function probeScript(
  perl: string,
  { canary, secret, port }: { canary: string; secret: string; port: number },
): string {
  const connect = `socket(S, PF_INET, SOCK_STREAM, 0) and connect(S, sockaddr_in(${port}, INADDR_LOOPBACK))`;
  return [
    `echo broken > ${canary}`,
    `echo broken > ${canary}.new`,
    `chmod 0 ${canary}`,
    `cat ${secret}`,
    `${perl} -MSocket -e '${connect}'`,
    `cat ${canary}`,
    'echo',
    'echo end',
  ].join('; ');
}

function refusal(said: string): SandboxCheck {
  const [first = ''] = said.split('\n');
  return {
    ok: false,
    reason: `Commands cannot be contained with Landlock: ${first.slice(0, 200)}.`,
    remedy: 'Install bubblewrap (apt install bubblewrap).',
  };
}

/** Tests a sandbox before it is trusted: runs a command in it and checks that it is really isolated. */
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryReadText } from '../../files/try-read.js';
import { runProcess } from '../../process/process-runner.js';
import { randomHex } from '../../random.js';
import { DEFAULT_LIMITS, type SandboxedCommand, type SandboxRequest } from '../types.js';

export interface ProbeFailure {
  reason: string;
  /** Message of bubblewrap or the kernel. */
  detail: string;
}

const TIMEOUT_MS = 15_000;

/** Prints facts, one `name=value` per line. The shell continues when a step fails, as it should in a sandbox. */
const SCRIPT = `
{ echo broken > "$CANARY"; } 2>/dev/null
{ echo broken > "$CANARY.new"; } 2>/dev/null
{ echo done > "$WORK/written"; } 2>/dev/null
secret=
{ read -r secret < "$SECRET"; } 2>/dev/null
echo "secret=$secret"
readlink /proc/self/ns/pid /proc/self/ns/net /proc/self/ns/mnt
while read -r name value; do
  case "$name" in Seccomp:) echo "seccomp=$value";; NoNewPrivs:) echo "privileges=$value";; CapEff:) echo "capabilities=$value";; esac
done < /proc/self/status
echo end=1
`;

/** Undefined when the sandbox isolates. @param options `writes`: whether the workspace should be writable */
export async function probeIsolation(
  directory: string,
  wrap: (request: SandboxRequest) => Promise<SandboxedCommand>,
  { writes }: { writes: boolean } = { writes: true },
): Promise<ProbeFailure | undefined> {
  const base = mkdtempSync(join(directory, 'probe-'));
  const [canary, work, secret] = ['canary', 'work', 'secret'].map((name) => join(base, name));
  if (!canary || !work || !secret) throw new Error('unreachable: three names were given');
  const untouched = randomHex(16);
  const hidden = randomHex(16);
  try {
    mkdirSync(work);
    writeFileSync(canary, untouched);
    writeFileSync(secret, hidden);
    const wrapped = await wrap({
      command: '/bin/sh',
      args: ['-c', SCRIPT],
      cwd: work,
      env: { PATH: '/usr/bin:/bin', CANARY: canary, WORK: work, SECRET: secret },
      policy: {
        workspace: [work],
        readOnlyPaths: [base],
        writablePaths: [],
        forbiddenPaths: [secret],
        network: 'off',
        workspaceWritable: writes,
        allowGitWrites: false,
        limits: DEFAULT_LIMITS,
      },
    });
    const { command, args, env } = wrapped;
    const result = await runProcess(command, args, { cwd: work, env, timeoutMs: TIMEOUT_MS });
    await wrapped.cleanup();
    const detail = (result.error?.message ?? result.stderr).trim();
    const facts = new Map(result.stdout.split('\n').map(asFact));
    if (result.endedBy === 'timeout') return { reason: 'it did not answer', detail };
    if (facts.get('end') !== '1') return { reason: 'it could not start a command', detail };
    const failure = failureIn(facts, { canary, untouched, hidden, work, writes });
    return failure ? { reason: `it does not isolate: ${failure}`, detail } : undefined;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

interface Expected {
  canary: string;
  untouched: string;
  hidden: string;
  work: string;
  writes: boolean;
}

/** Checks from outside come first: a manipulated program cannot fake them. */
function failureIn(
  facts: ReadonlyMap<string, string>,
  { canary, untouched, hidden, work, writes }: Expected,
) {
  if (tryReadText(canary) !== untouched) return 'a read-only file was written';
  if (tryReadText(`${canary}.new`) !== undefined) return 'a file was created in a read-only directory';
  const isWritten = tryReadText(join(work, 'written')) !== undefined;
  if (isWritten !== writes) return `the workspace could ${writes ? 'not ' : ''}be written`;
  if (facts.get('secret') === hidden) return 'a forbidden file was read';
  for (const [name, meaning] of NAMESPACES) {
    const inside = facts.get(name);
    if (!inside || inside === readlinkSync(`/proc/self/ns/${name}`)) return `it shares ${meaning} with us`;
  }
  if (facts.get('seccomp') !== '2') return 'system calls are not filtered';
  if (facts.get('privileges') !== '1') return 'a command may gain privileges';
  if (!/^0+$/.test(facts.get('capabilities') ?? '')) return 'a command keeps capabilities';
  return undefined;
}

const NAMESPACES = [
  ['pid', 'the processes'],
  ['net', 'the network'],
  ['mnt', 'the file system'],
] as const;

/** The kernel prints a namespace as `pid:[4026531836]`. */
function asFact(line: string): [string, string] {
  const [, kind] = /^(\w+):\[\d+\]$/.exec(line) ?? [];
  if (kind) return [kind, line];
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1).trim()];
}

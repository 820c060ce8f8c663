/**
 * Runs inside a container (private network, only a copy of the lab is writable): starts each command and prints which
 * canaries it reached.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import {
  changedPaths,
  type FuzzMode,
  forbiddenChanges,
  programsRun,
  type SecretMarks,
  type Signatures,
  secretsIn,
  signaturesOf,
} from './canaries.test-helper.js';

export interface DriverJob {
  command: string;
  /** Relative to the lab. */
  directory: string;
  mode: FuzzMode;
}

export interface DriverOrder {
  root: string;
  /** The lab is a copy of this folder. */
  template: string;
  variables: Record<string, string>;
  port: number;
  /** Of the process that gives the order: the driver ends all processes it sees, so it must not see that one. */
  processNamespace: string;
  marks: SecretMarks;
  jobs: DriverJob[];
}

export interface DriverAnswer {
  reached: string[];
  /** The beginning of its output. */
  output: string;
}

/** Runs one command and returns its output after all its processes have ended. */
export type StartCommand = (job: DriverJob) => Promise<string>;

/** Scanning the lab costs more than a command, so one scan covers a group; if it finds a change, each runs again alone. */
const GROUP = 20;

/** @param prepare called in the copy of the lab, before the first scan */
export async function drive(prepare: (order: DriverOrder) => Promise<StartCommand>): Promise<void> {
  const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as DriverOrder;
  const { root, template } = order;
  if (processNamespace() === order.processNamespace)
    throw new Error('The driver needs a container of its own.');
  mkdirSync(dirname(root), { recursive: true });
  execFileSync('cp', ['-a', template, root]);
  const lab = new DriverLab(order, await prepare(order));
  await lab.open();
  for (let from = 0; from < order.jobs.length; ) {
    const group = order.jobs.slice(from, from + (isWriter(order.jobs[from]) ? 1 : GROUP));
    const jobs = group.slice(0, Math.max(1, group.findIndex(isWriter)) || group.length);
    for (const answer of await lab.runGroup(jobs)) process.stdout.write(`${JSON.stringify(answer)}\n`);
    from += jobs.length;
  }
  process.exit(0);
}

export function processNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}

/** True for jobs that may change files. */
function isWriter(job: DriverJob | undefined): boolean {
  return (
    job?.mode === 'yolo-removal' ||
    job?.mode === 'contained-workspace' ||
    (job?.mode === 'auto_edit' && job.command.includes('>'))
  );
}

/** Sockets with a server, like a daemon that would run commands. */
const SOCKETS = ['outside/daemon.sock', 'ws/daemon.sock'];

class DriverLab {
  private before: Signatures = new Map();
  private connections = 0;
  private temporaryBefore = '';

  constructor(
    private readonly order: DriverOrder,
    private readonly start: StartCommand,
  ) {}

  async open(): Promise<void> {
    const { root, port } = this.order;
    const places = [{ port, host: '127.0.0.1' }, ...SOCKETS.map((path) => ({ path: join(root, path) }))];
    for (const place of places) {
      const server = createServer((socket) => {
        this.connections++;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(place, resolve));
    }
    this.before = signaturesOf(this.order.root);
    this.temporaryBefore = this.temporaryNames();
  }

  async runGroup(jobs: readonly DriverJob[]): Promise<DriverAnswer[]> {
    const answers: DriverAnswer[] = [];
    for (const job of jobs) answers.push(await this.runOne(job));
    const { before } = this;
    const after = this.scan();
    this.restore(after);
    const found = jobs.flatMap(({ mode }) => forbiddenChanges(mode, before, after));
    if (found.length === 0) return answers;
    if (jobs.length === 1)
      return answers.map((answer) => ({ ...answer, reached: [...answer.reached, ...found] }));
    // Run each alone to find out which one it was.
    const repeated: DriverAnswer[] = [];
    for (const job of jobs) repeated.push(...(await this.runGroup([job])));
    return repeated;
  }

  private async runOne(job: DriverJob): Promise<DriverAnswer> {
    const { root, marks } = this.order;
    const output = await this.start(job);
    await new Promise((resolve) => setImmediate(resolve));
    const isYolo = job.mode.startsWith('yolo');
    const reached = [
      ...programsRun(root, job.mode),
      ...secretsIn(output, marks, job.mode),
      ...(this.connections > 0 && !isYolo ? ['reached the network'] : []),
      ...(this.temporaryNames() !== this.temporaryBefore && !isYolo ? ['changed the temporary folder'] : []),
    ];
    this.connections = 0;
    return { reached, output: output.slice(0, 300) };
  }

  private scan(): Signatures {
    const { root } = this.order;
    try {
      return signaturesOf(root);
    } catch {
      // A command removed permissions; the changed mode is still found.
      const shut = ['-type', 'd', '!', '-perm', '-u=rwx'];
      execFileSync('find', [root, ...shut, '-exec', 'chmod', 'u+rwx', '{}', ';']);
      return signaturesOf(root);
    }
  }

  private restore(after: Signatures): void {
    const changed = changedPaths(this.before, after);
    if (changed.length === 0) return;
    restore(this.order, changed);
    this.before = signaturesOf(this.order.root);
  }

  /** Names in the container's folder for temporary files. */
  private temporaryNames(): string {
    return readdirSync(dirname(dirname(this.order.root))).join('\n');
  }
}

function restore({ root, template }: DriverOrder, changed: readonly string[]): void {
  if (!existsSync(root)) execFileSync('cp', ['-a', template, root]);
  // Sorted, so that a folder comes before its content, and a link that became a folder is removed first.
  for (const path of [...changed].sort()) rmSync(join(root, path), { recursive: true, force: true });
  for (const path of [...changed, 'ran.log'].sort()) {
    // Otherwise it did not exist at the beginning, or was restored with its folder.
    if (isThere(join(template, path)) && !isThere(join(root, path)))
      execFileSync('cp', ['-aT', join(template, path), join(root, path)]);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

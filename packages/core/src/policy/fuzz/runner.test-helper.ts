/** Runs allowed commands in containers and reports which canaries they reached. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import {
  type DriverAnswer,
  type DriverJob,
  type DriverOrder,
  processNamespace,
} from './driver-lab.test-helper.js';
import { type FuzzLab, HIDDEN, PORT, SECRET, SECRET_NAME, SECRET_SIZE } from './lab.test-helper.js';

export interface FuzzResult extends DriverJob {
  reached: string[];
  output: string;
}

const BATCH = 100;
const WORKERS = 2;

export class LabRunner {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'fuzz-runner-')));
  private built: Promise<unknown> | undefined;
  private orders = 0;

  /**
   * @param driver the program that starts the commands inside the container
   * @param nests the driver itself makes containers, so root must keep its capabilities
   */
  constructor(
    private readonly lab: FuzzLab,
    private readonly driver = join(import.meta.dirname, 'lab-driver-child.test-helper.ts'),
    private readonly nests = false,
  ) {}

  /** Why no container can be made; then no command may be run. Undefined: containers work. */
  static missing(): string | undefined {
    const { status, stderr, error } = spawnSync('bwrap', [...CONTAINER, '--', 'true'], { encoding: 'utf8' });
    return status === 0 ? undefined : (error?.message ?? stderr);
  }

  /** Results are not in the order of the jobs. */
  async run(unsorted: readonly DriverJob[]): Promise<FuzzResult[]> {
    // Sorted by mode, because the driver scans the lab once for a group.
    const jobs = [...unsorted].sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
    this.built ??= this.buildDriver();
    await this.built;
    const batches = Array.from({ length: Math.ceil(jobs.length / BATCH) }, (_, index) =>
      jobs.slice(index * BATCH, (index + 1) * BATCH),
    );
    const results: FuzzResult[][] = [];
    let next = 0;
    const work = async () => {
      while (next < batches.length) {
        const index = next++;
        results[index] = await this.runBatch(batches[index] ?? []);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return results.flat();
  }

  cleanup(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private buildDriver() {
    return build({
      entryPoints: [this.driver],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(this.folder, 'driver.mjs'),
      // CommonJS libraries need `require`.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
  }

  private async runBatch(jobs: readonly DriverJob[]): Promise<FuzzResult[]> {
    const { root } = this.lab;
    const temporary = realpathSync(tmpdir());
    const template = join(temporary, 'template');
    const order = join(this.folder, `order-${this.orders++}.json`);
    writeFileSync(order, JSON.stringify({ ...this.order(template), jobs }));
    const mounts = ['--tmpfs', temporary, '--ro-bind', root, template, '--ro-bind', this.folder, this.folder];
    const parent = ['--dir', dirname(root)];
    const args = [
      ...CONTAINER,
      // Otherwise root could make the disk writable again.
      ...['--cap-drop', 'ALL', ...(this.nests ? ['--cap-add', 'ALL'] : [])],
      ...mounts,
      ...parent,
      '--',
      process.execPath,
      join(this.folder, 'driver.mjs'),
      order,
    ];
    let { stdout, stderr } = await outputOf('bwrap', args);
    // On a busy machine creating a namespace may fail at first.
    for (let times = 0; times < 20 && /^bwrap: Creating new namespace/.test(stderr); times++)
      ({ stdout, stderr } = await outputOf('bwrap', args));
    const answers = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DriverAnswer);
    if (answers.length !== jobs.length) {
      const last = jobs[answers.length]?.command;
      throw new Error(`The driver ended at ${JSON.stringify(last)}: ${stderr.slice(0, 2000)}`);
    }
    return jobs.map((job, at) => ({
      ...job,
      reached: answers[at]?.reached ?? [],
      output: answers[at]?.output ?? '',
    }));
  }

  private order(template: string): Omit<DriverOrder, 'jobs'> {
    const { root } = this.lab;
    return {
      root,
      template,
      variables: labVariables(this.lab),
      port: PORT,
      processNamespace: processNamespace(),
      marks: { secret: SECRET, hidden: HIDDEN, size: SECRET_SIZE, name: SECRET_NAME },
    };
  }
}

/** The environment of both the judge and the commands. */
export function labVariables({ root, home }: FuzzLab): Record<string, string> {
  return {
    PATH: `${join(root, 'pathbin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    USER: 'user',
    SHELL: '/bin/bash',
  };
}

function orderOf({ mode, command }: DriverJob): string {
  return `${mode} ${command.includes('>')}`;
}

const CONTAINER = [
  '--die-with-parent',
  '--new-session',
  '--unshare-all',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  // Hides sockets of the machine's daemons.
  '--tmpfs',
  '/run',
  '--chdir',
  '/',
];

function outputOf(file: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve({ stdout, stderr }));
  });
}

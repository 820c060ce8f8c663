/** Measures what the sandbox and containment add to a shell command. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { atMost, exactly, type Group, minus, type Row, statOf } from './row.js';
import type { Place } from './subjects.js';

const PAIRS = 30;

export const SANDBOX_ROWS: Record<string, Group> = {
  /** From the sandbox request to the end of its clean-up, minus a plain start of the same program. */
  async sandbox({ place }) {
    const { LinuxSandboxManager } = await import(
      '../packages/core/src/platform/sandbox/linux/linux-manager.js'
    );
    const manager = new LinuxSandboxManager({
      variables: { ...process.env, HOME: place.home },
      stateDirectory: join(place.home, 'sandbox'),
    });
    const row: Pick<Row, 'name' | 'unit' | 'limit' | 'limitIs' | 'limitText'> = {
      name: 'sandboxed `true`, over a plain one',
      unit: 'ms',
      ...atMost(20, 'ms'),
    };
    const check = await manager.check();
    if (!check.ok) return [{ ...row, program: exactly(Number.NaN), notMeasured: check.reason }];
    const request = await trueIn(place);
    const plain: number[] = [];
    const sandboxed: number[] = [];
    const around: number[] = [];
    const runs = {
      plain: async (isWarmUp: boolean) => {
        const started = performance.now();
        await run(request.command, request.args, request.cwd, request.env);
        if (!isWarmUp) plain.push(performance.now() - started);
      },
      sandboxed: async (isWarmUp: boolean) => {
        const started = performance.now();
        const wrapped = await manager.wrap(request);
        const wrappedAt = performance.now();
        let endedAt = Number.NaN;
        try {
          await run(wrapped.command, wrapped.args, request.cwd, wrapped.env);
          endedAt = performance.now();
        } finally {
          await wrapped.cleanup();
        }
        if (isWarmUp) return;
        sandboxed.push(performance.now() - started);
        around.push(performance.now() - endedAt + wrappedAt - started);
      },
    };
    for (let pair = -1; pair < PAIRS; pair++) {
      const order = pair % 2 === 0 ? (['plain', 'sandboxed'] as const) : (['sandboxed', 'plain'] as const);
      for (const kind of order) await runs[kind](pair < 0);
    }
    const [whole, base] = [statOf(sandboxed), statOf(plain)];
    return [
      ...(await containedRows(place)),
      {
        ...row,
        program: minus(whole, base) ?? whole,
        note: `${PAIRS} pairs; medians: sandboxed ${whole.median.toFixed(1)} ms, of it ${statOf(around).median.toFixed(1)} ms to prepare and clean up; plain ${base.median.toFixed(1)} ms`,
      },
    ];
  },
};

/** Like a command that runs without a question: contained, in the workspace, with the session's look-ups. */
async function containedRows(place: Place): Promise<Row[]> {
  const { LinuxContainer } = await import(
    '../packages/core/src/platform/sandbox/containment/linux-container.js'
  );
  const newContainer = () =>
    new LinuxContainer({
      variables: { ...process.env, HOME: place.home },
      stateDirectory: join(place.home, 'sandbox'),
    });
  const row = { name: 'contained `true`, over a plain one', unit: 'ms', ...atMost(12, 'ms') } as const;
  const firstRow = {
    name: 'first contained `true`, over a plain one',
    unit: 'ms',
    ...atMost(30, 'ms'),
  } as const;
  const check = await newContainer().check();
  if (!check.ok) {
    const notMeasured = check.reason;
    return [row, firstRow].map((item) => ({ ...item, program: exactly(Number.NaN), notMeasured }));
  }
  const { cwd, env } = await trueIn(place);
  const times = { plain: [] as number[], contained: [] as number[], first: [] as number[] };
  const contain = async (container: InstanceType<typeof LinuxContainer>) => {
    const wrapped = await container.contain({
      command: 'true',
      args: [],
      cwd,
      env,
      kind: 'read-only',
      workspace: [cwd],
      visiblePaths: [],
      hiddenPaths: [],
      trackedEnvFiles: async () => [],
    });
    await run(wrapped.command, wrapped.args, cwd, wrapped.env);
    await wrapped.cleanup();
  };
  const warm = newContainer();
  const work = {
    plain: () => run('true', [], cwd, env),
    contained: () => contain(warm),
    // Includes the trial run, which a session makes while the first request waits for the model.
    first: () => contain(newContainer()),
  };
  for (let round = -1; round < PAIRS; round++) {
    for (const kind of ['plain', 'contained', 'first'] as const) {
      const started = performance.now();
      await work[kind]();
      if (round >= 0) times[kind].push(performance.now() - started);
    }
  }
  const base = statOf(times.plain);
  const over = (item: typeof row | typeof firstRow, whole: ReturnType<typeof statOf>) => ({
    ...item,
    program: minus(whole, base) ?? whole,
    note: `${PAIRS} rounds; medians: contained ${whole.median.toFixed(1)} ms, plain ${base.median.toFixed(1)} ms`,
  });
  return [over(row, statOf(times.contained)), over(firstRow, statOf(times.first))];
}

/** With the rights of a shell command in the default mode: it writes to the workspace and has no network. */
async function trueIn({ workspace, home }: Place) {
  const { commandPolicy } = await import(
    '../packages/core/src/platform/sandbox/permissions/command-policy.js'
  );
  const { DEFAULT_SANDBOX_FILE } = await import(
    '../packages/core/src/platform/sandbox/permissions/config-file.js'
  );
  const policy = commandPolicy({
    workspace,
    includeDirectories: [],
    temporaryDirectories: [],
    forbiddenPaths: [],
    mode: 'default',
    file: DEFAULT_SANDBOX_FILE,
    programs: ['true'],
    granted: [],
  });
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home };
  return { command: 'true', args: [], cwd: workspace, env, policy };
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`"true" ended with ${code}: ${errors.trim()}`));
    });
  });
}

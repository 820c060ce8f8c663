/** Measures settings, telemetry and redaction. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Redactor } from '../packages/core/src/platform/redaction/redact.js';
import { makeRandom } from '../packages/core/src/platform/redaction/redact.test-helper.js';
import type { SettingDefinition } from '../packages/core/src/settings/schema/definition.js';
import { ROOT } from '../packages/core/src/settings/schema/root.js';
import { text } from '../packages/test-utils/src/model-script.js';
import { bundleScript, COMPILED } from './bundle-script.js';
import { runOnce, type Task } from './measure.js';
import { atMost, times as factor, type Group, minus, prompt, type Row, statOf } from './row.js';

export const SETTINGS_ROWS: Record<string, Group> = {
  /** In separate processes: at the start of the program this code is compiled, but has never run. */
  async settings(bench) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-settings-')));
    try {
      const script = await bundleScript('settings-load', root);
      const { keys, cwd, env } = writeFiles(root);
      const times = { read: [] as number[], load: [] as number[] };
      // The first run compiles: load before read, so that the code of loading is cached.
      for (let run = -1; run < bench.runs; run++) {
        for (const kind of ['load', 'read'] as const) {
          const output = execFileSync(process.execPath, [COMPILED, script, kind], {
            cwd,
            env,
            encoding: 'utf8',
          });
          if (run >= 0) times[kind].push(Number(output));
        }
      }
      const [load, read] = [statOf(times.load), statOf(times.read)];
      return [
        {
          name: 'settings and .env, over reading the files',
          unit: 'ms',
          program: minus(load, read) ?? load,
          ...atMost(5, 'ms'),
          note: `three settings files, ${keys} keys, three .env files; all ${load.median.toFixed(1)} ms, reading ${read.median.toFixed(1)} ms`,
        },
      ];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },

  async telemetry(bench) {
    const command = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
    const env = {
      GEMINI_TELEMETRY_ENABLED: 'true',
      GEMINI_TELEMETRY_TARGET: 'local',
      GEMINI_TELEMETRY_OUTFILE: join(bench.place.home, 'telemetry.log'),
    };
    const task: Task = { args: prompt('hello'), replies: [[text('Hello there.')]] };
    const times = { off: [] as number[], on: [] as number[] };
    for (let run = -1; run < bench.runs; run++) {
      const off = await runOnce(command, task, bench.place);
      const on = await runOnce(command, { ...task, env }, bench.place);
      if (run < 0) continue;
      times.off.push(off.wall);
      times.on.push(on.wall);
    }
    const [on, off] = [statOf(times.on), statOf(times.off)];
    return [
      {
        name: 'telemetry to a file, added to one answer',
        unit: 'ms',
        program: minus(on, off) ?? on,
        ...atMost(40, 'ms'),
        note: `with ${on.median.toFixed(1)} ms, without ${off.median.toFixed(1)} ms`,
      },
    ];
  },

  async redaction(bench) {
    const random = makeRandom(1);
    const secrets = Array.from({ length: 100 }, () => random.token(6 + random.below(40)));
    const redactor = new Redactor();
    for (const secret of secrets) redactor.addSecret(secret);
    const whole = random.prose(10_000_000, secrets);
    const half = whole.slice(0, whole.length / 2);
    const once = (part: string) => timed(() => void redactor.redact(part));
    const streamed = () => timed(() => pushAll(redactor, whole, 64 * 1024));
    const times = { whole: [] as number[], half: [] as number[], streamed: [] as number[] };
    for (let run = -1; run < bench.runs; run++) {
      const sample = { whole: once(whole), half: once(half), streamed: streamed() };
      if (run < 0) continue;
      times.whole.push(sample.whole);
      times.half.push(sample.half);
      times.streamed.push(sample.streamed);
    }
    const rows: Row[] = [
      {
        name: 'redaction of 10 MB, 100 secrets',
        unit: 'ms',
        program: statOf(times.whole),
        ...atMost(300, 'ms'),
      },
      {
        name: 'redaction of 10 MB as a stream',
        unit: 'ms',
        program: statOf(times.streamed),
        ...atMost(300, 'ms'),
        note: 'chunks of 64 KB',
      },
      {
        name: 'redaction, twice the text',
        unit: 'ms',
        program: statOf(times.whole),
        base: { name: '5 MB', value: statOf(times.half) },
        ...factor(2.5),
      },
    ];
    return rows;
  },
};

/** Every setting with a simple value in one of three files, in turns, and three `.env` files. */
function writeFiles(root: string): { keys: number; cwd: string; env: Record<string, string> } {
  const [home, cwd, system] = [join(root, 'home'), join(root, 'project'), join(root, 'system.json')];
  const leaves = leavesOf(ROOT, []);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const files = [system, join(home, '.gemini/settings.json'), join(cwd, '.gemini/settings.json')];
  for (const [turn, file] of files.entries()) {
    const settings: Tree = {};
    for (const { path, value } of leaves.filter((_, index) => index % files.length === turn))
      put(settings, path, value);
    write(file, JSON.stringify(settings, null, 2));
  }
  write(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [cwd]: 'TRUST_FOLDER' }));
  const variables = Array.from({ length: 20 }, (_, index) => `BENCH_${index}="value ${index}" # note\n`).join(
    '',
  );
  for (const path of [join(cwd, '.gemini/.env'), join(cwd, '.env'), join(home, '.gemini/.env')])
    write(path, variables);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GEMINI_CLI_HOME: home,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: system,
  };
  return { keys: leaves.length, cwd, env };
}

interface Leaf {
  path: string[];
  value: unknown;
}

/** Settings that any file may set, with a valid value. */
function leavesOf(
  { kind, properties, values, minimum, from, ignored, ...rest }: SettingDefinition,
  path: string[],
): Leaf[] {
  if (from || ignored) return [];
  if (properties && kind === 'object') {
    return Object.entries(properties).flatMap(([key, child]) => leavesOf(child, [...path, key]));
  }
  const value = rest.default ?? { boolean: true, number: minimum ?? 1, enum: values?.[0] }[String(kind)];
  return value === undefined ? [] : [{ path, value }];
}

type Tree = { [key: string]: unknown };

function put(tree: Tree, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  tree[key] ??= {};
  // Created above or for an earlier leaf.
  put(tree[key] as Tree, rest, value);
}

function pushAll(redactor: Redactor, whole: string, size: number): void {
  const stream = redactor.stream();
  for (let at = 0; at < whole.length; at += size) stream.push(whole.slice(at, at + size));
  stream.end();
}

function timed(action: () => void): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}

/** Measures start-up and turn times. */
import { callTool, type Script, text } from '../packages/test-utils/src/model-script.js';
import { median } from './measure.js';
import { need, rounds, type Stat, stat } from './rounds.js';
import {
  addedGap,
  against,
  atMost,
  type Group,
  minus,
  prompt,
  type Row,
  readTurns,
  times,
  wall,
  YOLO,
} from './row.js';
import { ripgrep, type Subject } from './subjects.js';
import { timeCommand } from './time-command.js';

export const TIME_ROWS: Record<string, Group> = {
  /** `--version` and `--help` compared with an empty Node script. */
  async version(bench) {
    const node: Subject = { name: 'floor', command: [process.execPath, '-e', '0', '--'] };
    const subjects = bench.subjects.map((subject) => (subject.name === 'floor' ? node : subject));
    const rows: Row[] = [];
    for (const flag of ['--version', '--help']) {
      const samples = await rounds(bench, { args: [flag] }, subjects);
      rows.push({ name: flag, ...against(samples, 'node -e 0', wall), ...times(1.2) });
    }
    return rows;
  },

  async hello(bench) {
    const samples = await rounds(bench, { args: prompt('hello'), replies: [[text('Hello there.')]] });
    return [
      { name: 'one answer, wall', ...against(samples, 'floor', wall), ...times(2.5) },
      {
        name: 'spawn to first request',
        ...against(samples, 'floor', (sample) => sample.firstRequest),
        ...times(2.5),
      },
    ];
  },

  /** (20 turns - none) of the program, minus the same difference of the floor, per turn. */
  async turns(bench) {
    const none = await rounds(bench, { args: prompt('hello'), replies: [[text('done')]] });
    const twenty = await rounds(bench, {
      args: prompt('read'),
      replies: [...readTurns(20), [text('done')]],
    });
    const perTurn = (name: string): Stat | undefined => {
      const [many, few] = [stat(twenty, name, wall), stat(none, name, wall)];
      if (!many || !few) return undefined;
      return { median: (many.median - few.median) / 20, min: (many.min - few.min) / 20 };
    };
    const floor = perTurn('floor') ?? { median: 0, min: 0 };
    const program = minus(perTurn('program'), floor) ?? { median: Number.NaN, min: Number.NaN };
    const gaps = need(twenty, 'program', (sample) => median(sample.gaps));
    const note = `end of an answer to next request, median of a run: ${gaps.median.toFixed(2)} ms`;
    return [
      {
        name: 'added per tool turn (20 x read_file)',
        unit: 'ms',
        program,
        peer: minus(perTurn('peer'), floor),
        ...atMost(3, 'ms'),
        note,
      },
    ];
  },

  async chunks(bench) {
    const reply = Array.from({ length: 2000 }, (_, index) => text(`word ${index} `));
    const samples = await rounds(bench, { args: prompt('talk'), replies: [reply] });
    return [{ name: '2,000 chunks, wall', ...against(samples, 'floor', wall), ...times(2) }];
  },

  async reads(bench) {
    const calls = Array.from({ length: 10 }, (_, index) =>
      callTool('read_file', { file_path: `read-${index}.txt` }, `c${index}`),
    );
    const samples = await rounds(bench, { args: prompt('read'), replies: [calls, [text('done')]] });
    return [{ name: 'ten parallel reads in one turn', ...addedGap(samples), ...atMost(15, 'ms') }];
  },

  async grep(bench) {
    const call: Script = [callTool('grep_search', { pattern: 'needle in folder', dir_path: 'tree' }, 'call')];
    const samples = await rounds(bench, { args: prompt('search'), replies: [call, [text('done')]] });
    const plain: number[] = [];
    for (let run = -1; run < bench.runs; run++) {
      const ms = await timeCommand(
        ripgrep(),
        ['-n', '-i', 'needle in folder', 'tree'],
        bench.place.workspace,
      );
      if (run >= 0) plain.push(ms);
    }
    const rg: Stat = { median: median(plain), min: Math.min(...plain) };
    const row = addedGap(samples);
    const limit = 1.3 * rg.median + 10;
    return [
      {
        name: 'grep_search over 4,000 files',
        ...row,
        base: { name: 'rg', value: rg },
        limit,
        limitIs: 'absolute',
        limitText: `1.3 x + 10 ms = ${limit.toFixed(1)} ms`,
      },
    ];
  },

  async echo(bench) {
    const call: Script = [callTool('run_shell_command', { command: 'echo hello' }, 'call')];
    const samples = await rounds(bench, { args: prompt('run', ...YOLO), replies: [call, [text('done')]] });
    const bare = await timeCommand('bash', ['-c', 'echo hello'], bench.place.workspace);
    return [
      {
        name: 'echo by the shell tool',
        ...addedGap(samples),
        ...atMost(25, 'ms'),
        note: `bash alone ${bare.toFixed(1)} ms`,
      },
    ];
  },
};

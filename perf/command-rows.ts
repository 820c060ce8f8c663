/** What a shell command that may change files costs over a bare `bash -c`: the first of a session, and the later ones. */
import { callTool, delay, type Script, text } from '../packages/test-utils/src/model-script.js';
import { median, type Sample } from './measure.js';
import { type Bench, need, rounds, type Stat } from './rounds.js';
import { atMost, type Group, minus, prompt, type Row, YOLO } from './row.js';
import { makePlace } from './subjects.js';
import { timeCommand } from './time-command.js';

const COMMANDS = 5;
const THINKING_MS = 300;

interface Limits {
  first: number;
  afterThinking: number;
  later: number;
}

export const COMMAND_ROWS: Record<string, Group> = {
  async commands(bench) {
    const place = makePlace({ folders: 0 });
    try {
      const small = { ...bench, place };
      return [
        ...(await rowsIn(small, 'a small project', { first: 60, afterThinking: 25, later: 12 })),
        ...(await rowsIn(bench, '4,000 files', { first: 120, afterThinking: 25, later: 25 })),
      ];
    } finally {
      place.remove();
    }
  },
};

async function rowsIn(bench: Bench, where: string, limits: Limits): Promise<Row[]> {
  const subjects = bench.subjects.filter(({ name }) => name === 'program');
  const task = (thinking: number) => ({ args: prompt('run', ...YOLO), replies: answers(thinking) });
  const atOnce = await rounds(bench, task(0), subjects);
  const thought = await rounds(bench, task(THINKING_MS), subjects);
  const bare = await bareCommand(bench);
  const over = (samples: typeof atOnce, pick: (sample: Sample) => number) =>
    minus(need(samples, 'program', pick), bare) ?? bare;
  const row = (name: string, program: Stat, limit: number): Row => ({
    name: `${name} over bare, ${where}`,
    unit: 'ms',
    program,
    ...atMost(limit, 'ms'),
    note: `bash -c alone ${bare.median.toFixed(1)} ms`,
  });
  return [
    row('first command', over(atOnce, first), limits.first),
    row(`first command after ${THINKING_MS} ms of the model`, over(thought, first), limits.afterThinking),
    row('later command', over(atOnce, later), limits.later),
  ];
}

/** Files with other names each time: the same command again and again would count as a loop. */
function answers(thinkingMs: number): Script[] {
  const calls = Array.from({ length: COMMANDS }, (_, index): Script => {
    const call = callTool('run_shell_command', { command: commandOf(index) }, `call-${index}`);
    return index === 0 && thinkingMs > 0 ? [delay(thinkingMs), call] : [call];
  });
  return [...calls, [text('done')]];
}

function commandOf(index: number): string {
  return `echo ${index} > made-${index}.txt`;
}

async function bareCommand({ place, runs }: Bench): Promise<Stat> {
  const times: number[] = [];
  for (let run = -1; run < runs * 2; run++) {
    const ms = await timeCommand('bash', ['-c', commandOf(0)], place.workspace);
    if (run >= 0) times.push(ms);
  }
  return { median: median(times), min: Math.min(...times) };
}

function first({ gaps }: Sample): number {
  return gaps[0] ?? Number.NaN;
}

function later({ gaps }: Sample): number {
  return median(gaps.slice(1));
}

/** Promises about dialogs: how soon one is open, and how soon a key in it is on the screen. */
import { performance } from 'node:perf_hooks';
import { median } from './measure.js';
import type { Bench } from './rounds.js';
import { atMost, type Group, type Row, statOf } from './row.js';
import { openScreen, READY, warmUp } from './screen-run.js';
import { sleep, type TerminalRun } from './terminal-run.js';

const RUNS = 5;
const KEYS = 30;
const IDLE_MS = 4_000;
const DOWN = '\x1b[B';

export const SCREEN_DIALOG_ROWS: Record<string, Group> = {
  async 'screen-dialog'(bench) {
    await warmUp(bench);
    const opened: number[] = [];
    const loaded: number[] = [];
    const moves: number[] = [];
    const previews: number[] = [];
    const settings: number[] = [];
    const help: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      loaded.push(await inSession(bench, 0, (terminal) => open(terminal, '/model', '3. Manual')));
      await inSession(bench, IDLE_MS, async (terminal) => {
        opened.push(await open(terminal, '/model', '3. Manual'));
        terminal.write('3');
        await terminal.until((seen) => seen.includes('Select Model · Manual'));
        moves.push(await echo(terminal));
        terminal.write('\x1b');
        await sleep(200);
        terminal.write('\x1b');
        await sleep(200);
        await open(terminal, '/theme', 'Select Theme');
        previews.push(await echo(terminal));
        terminal.write('\x1b');
        await sleep(200);
        settings.push(await open(terminal, '/settings', 'User Settings'));
        terminal.write('\x1b');
        await sleep(200);
        help.push(await open(terminal, '/help', 'Basics'));
      });
    }
    return [
      row('a dialog open after its key, when idle', opened, 20),
      row('a dialog open after its key, before Ink is loaded', loaded, 80),
      row('/settings open after its key, when idle', settings, 30),
      row('/help on the screen after its key, when idle', help, 30),
      row('key to echo, in the list of a dialog', moves, 4),
      row('key to echo, with a theme tried out', previews, 16),
    ];
  },
};

async function inSession<T>(bench: Bench, idleMs: number, use: (run: TerminalRun) => Promise<T>): Promise<T> {
  const { run, close } = openScreen(bench, []);
  try {
    await run.until((seen) => seen.includes(READY));
    await sleep(idleMs);
    return await use(run);
  } finally {
    await close();
  }
}

/** From Enter until the dialog is there; the command is on the screen before. */
async function open(run: TerminalRun, command: string, sight: string): Promise<number> {
  const from = run.output.length;
  run.write(command);
  await run.until((seen) => seen.includes(`> ${command}`), { from });
  await sleep(50);
  const pressed = performance.now();
  run.write('\r');
  return (await run.until((seen) => seen.includes(sight), { from })) - pressed;
}

/** Median of the time from Down until the mark stands elsewhere. */
async function echo(run: TerminalRun): Promise<number> {
  const times: number[] = [];
  await sleep(300);
  for (let key = 0; key < KEYS; key++) {
    const from = run.output.length;
    const pressed = performance.now();
    run.write(DOWN);
    times.push((await run.until((seen) => /● +\d+\./.test(seen), { from })) - pressed);
    await sleep(20);
  }
  return median(times);
}

function row(what: string, times: number[], limit: number): Row {
  return { name: `screen: ${what}`, unit: 'ms', program: statOf(times), ...atMost(limit, 'ms') };
}

/** Measures what a connected editor costs, and how soon the program hears from it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { Companion } from '../packages/test-utils/src/companion.js';
import { bundleScript } from './bundle-script.js';
import type { Bench } from './rounds.js';
import { atMost, exactly, type Group, statOf } from './row.js';
import { type OpenScreen, openScreen, READY } from './screen-run.js';
import { cleanEnv } from './subjects.js';
import { cpuTimeOf, percentile, sleep } from './terminal-run.js';
import { withSettings } from './with-settings.js';

const CHANGES = 100;
const FLOOD_MS = 5_000;
/** The input box, with the first frame. */
const PAINTED = 'Type your message';

export const IDE_ROWS: Record<string, Group> = {
  async ide(bench) {
    await warmUp(bench);
    const connected: number[] = [];
    for (let run = -1; run < bench.runs; run++) {
      const ms = await connectionTime(bench);
      if (run >= 0) connected.push(ms);
    }
    const delays = await selectionDelays(bench);
    return [
      {
        name: 'screen: first paint to a connected editor',
        unit: 'ms',
        program: statOf(connected),
        ...atMost(150, 'ms'),
        note: 'the companion has the stream on which it tells the context; the session takes this connection over',
      },
      {
        name: 'a selection in the editor until the program has it: 99 of 100',
        unit: 'ms',
        program: exactly(percentile(delays, 0.99)),
        ...atMost(100, 'ms'),
      },
      {
        name: '1,000 changes a second in the editor: CPU of the program',
        unit: '%',
        program: exactly(await floodShare(bench)),
        ...atMost(2, '%'),
        note: `of one processor, over ${FLOOD_MS / 1000} s, added to an idle screen`,
      },
    ];
  },
};

/** A session that lasts until the compiled code is cached. */
async function warmUp(bench: Bench): Promise<void> {
  await inEditor(bench, async ({ run }, companion) => {
    await companion.untilHeard();
    await sleep(6_000);
    run.write('/quit\r');
    await run.exit;
  });
}

async function connectionTime(bench: Bench): Promise<number> {
  return inEditor(bench, async ({ run }, companion) => {
    const painted = run.until((shown) => shown.includes(PAINTED));
    await companion.untilHeard();
    return performance.now() - (await painted);
  });
}

async function floodShare(bench: Bench): Promise<number> {
  return inEditor(bench, async ({ run }, companion) => {
    await run.until((shown) => shown.includes(READY));
    await companion.untilHeard();
    // Work that waits for an idle moment is over then.
    await sleep(6_000);
    const idle = await shareOf(run.pid, () => sleep(FLOOD_MS));
    const busy = await shareOf(run.pid, () => flood(companion));
    return busy - idle;
  });
}

async function shareOf(pid: number, work: () => Promise<void>): Promise<number> {
  const [cpu, started] = [cpuTimeOf(pid), performance.now()];
  await work();
  return ((cpuTimeOf(pid) - cpu) / (performance.now() - started)) * 100;
}

/** A thousand a second, one by one. */
async function flood(companion: Companion): Promise<void> {
  const started = performance.now();
  for (let sent = 0; performance.now() - started < FLOOD_MS; ) {
    while (sent < performance.now() - started) await companion.update(stateOf(`change ${sent++}`));
    await sleep(0);
  }
}

function stateOf(selectedText: string) {
  const cursor = { line: 1, character: 1 };
  const files = Array.from({ length: 9 }, (_, at) => ({ path: `/project/src/file-${at}.ts`, timestamp: at }));
  return {
    openFiles: [...files, { path: '/project/a.ts', timestamp: 10, isActive: true, cursor, selectedText }],
  };
}

/** The program's own client in another process: what arrives there is not on the screen. */
async function selectionDelays(bench: Bench): Promise<number[]> {
  return withCompanion(async (companion, folder) => {
    const script = await bundleScript('ide-run', folder, 'esm');
    const child = promisify(execFile)(process.execPath, [script, folder, String(CHANGES)], {
      env: { ...cleanEnv(bench.place, ''), ...companion.env },
    });
    await companion.untilHeard();
    for (let change = 0; change < CHANGES; change++) {
      await companion.update(stateOf(String(performance.timeOrigin + performance.now())));
      // Two that follow each other, and then a pause.
      await sleep(change % 2 === 0 ? 2 : 60);
    }
    await companion.update(stateOf('end'));
    return JSON.parse((await child).stdout);
  });
}

/** The screen of the program in the terminal of an editor. */
async function inEditor<T>(
  bench: Bench,
  measure: (screen: OpenScreen, companion: Companion) => Promise<T>,
): Promise<T> {
  return withCompanion((companion) =>
    withSettings({ ide: { enabled: true } }, async (env) => {
      const screen = openScreen(bench, [], { env: { ...env, ...companion.env } });
      try {
        return await measure(screen, companion);
      } finally {
        await screen.close();
      }
    }),
  );
}

async function withCompanion<T>(work: (companion: Companion, folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-ide-bench-')));
  const companion = new Companion({ tmpdir: folder, roots: ['/'] });
  try {
    await companion.listen();
    return await work(companion, folder);
  } finally {
    await companion.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

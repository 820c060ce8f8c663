/** Measures the start of the terminal interface. */
import { performance } from 'node:perf_hooks';
import { text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import type { Bench } from './rounds.js';
import { atMost, exactly, type Group, statOf, times } from './row.js';
import { openScreen, READY, warmUp } from './screen-run.js';
import { cleanEnv } from './subjects.js';
import { TerminalRun } from './terminal-run.js';

/** Typed before the program has read a byte. */
const EARLY = 'what was typed early';

interface Start {
  paint: number;
  echo: number;
  request: number;
  isWhole: boolean;
}

export const SCREEN_START_ROWS: Record<string, Group> = {
  /** `node -e 0` in the same terminal, and the program with a prompt typed at once, in turns. */
  async 'screen-start'(bench) {
    await warmUp(bench);
    const bare: number[] = [];
    const starts: Start[] = [];
    const ready: number[] = [];
    for (let run = -1; run < bench.runs; run++) {
      const node = await bareStart(bench);
      const start = await startTyping(bench);
      const quiet = await startQuietly(bench);
      if (run < 0) continue;
      bare.push(node);
      starts.push(start);
      ready.push(quiet);
    }
    const base = { name: 'node -e 0', value: statOf(bare) };
    const stat = (pick: (start: Start) => number) => statOf(starts.map(pick));
    const lost = starts.filter(({ isWhole }) => !isWhole).length;
    return [
      { name: 'screen: first paint', unit: 'ms', program: stat(({ paint }) => paint), base, ...times(2) },
      {
        name: 'screen: first echoed key',
        unit: 'ms',
        program: stat(({ echo }) => echo),
        base,
        ...times(2),
        note: 'the key was pressed before the program had drawn anything',
      },
      {
        name: 'screen: spawn to a typed prompt at the model',
        unit: 'ms',
        program: stat(({ request }) => request),
        base,
        ...times(10),
        note: 'aim 8 x; typed and entered at once',
      },
      {
        name: 'screen: spawn to ready',
        unit: 'ms',
        program: statOf(ready),
        base,
        ...times(10),
        note: 'engine up, model named in the footer',
      },
      { name: 'screen: starts with lost keys', unit: 'count', program: exactly(lost), ...atMost(0, '') },
    ];
  },
};

async function bareStart({ place }: Bench): Promise<number> {
  const run = new TerminalRun([process.execPath, '-e', '0'], {
    cwd: place.workspace,
    env: cleanEnv(place, ''),
  });
  await run.exit;
  return performance.now() - run.startedAt;
}

async function startTyping(bench: Bench): Promise<Start> {
  const model = await startModelServer();
  model.replies([text('Yes.')]);
  const { run, close } = openScreen(bench, [], { url: model.url });
  try {
    run.write(EARLY);
    const painted = run.until((shown) => / > /.test(shown));
    const echoed = run.until((shown) => shown.includes(` > ${EARLY}`));
    const asked = model.waitForRequest();
    const [paint, echo] = await Promise.all([painted, echoed]);
    run.write('\r');
    const request = await asked;
    const sent = JSON.stringify(request.body.contents.at(-1));
    const since = (at: number) => at - run.startedAt;
    return {
      paint: since(paint),
      echo: since(echo),
      request: since(request.at),
      isWhole: sent.includes(EARLY),
    };
  } finally {
    await close();
    await model.close();
  }
}

async function startQuietly(bench: Bench): Promise<number> {
  const { run, close } = openScreen(bench, []);
  try {
    return (await run.until((shown) => shown.includes(READY))) - run.startedAt;
  } finally {
    await close();
  }
}

/** Opens the terminal interface of the program under test for a measurement. */
import { text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import type { Bench } from './rounds.js';
import { cleanEnv } from './subjects.js';
import { sleep, TerminalRun } from './terminal-run.js';

/** Appears in the footer when the engine is ready. */
export const READY = '/model';
const NO_SERVER = 'http://127.0.0.1:9';
const MODEL = ['-m', 'gemini-2.5-flash'];

export interface OpenScreen {
  run: TerminalRun;
  close(): Promise<void>;
}

export interface ScreenPlace {
  url?: string;
  cwd?: string;
  env?: Record<string, string>;
}

export function openScreen(
  bench: Bench,
  args: string[],
  { url = NO_SERVER, cwd, env }: ScreenPlace = {},
): OpenScreen {
  const { place, subjects } = bench;
  const command = subjects.find(({ name }) => name === 'program')?.command ?? [];
  const run = new TerminalRun([...command, ...MODEL, ...args], {
    cwd: cwd ?? place.workspace,
    env: { ...cleanEnv(place, url), ...env },
  });
  return {
    run,
    close: async () => {
      run.kill();
      await run.exit;
    },
  };
}

/** A first session that lasts until the compiled code is cached. */
export async function warmUp(bench: Bench): Promise<void> {
  const model = await startModelServer();
  model.replies([text('Yes.')]);
  const { run, close } = openScreen(bench, [], { url: model.url });
  try {
    run.write('hello\r');
    await run.until((shown) => shown.includes('Yes.'));
    await sleep(6_000);
    run.write('/quit\r');
    await run.exit;
  } finally {
    await close();
    await model.close();
  }
}

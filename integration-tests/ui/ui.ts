/** What the tests of the interface share: how long to wait, how to give commands, what a clean terminal is. */
import type { Screen, ScreenModes, TestRig } from '@gemini-cli/test-utils/rig';

export const READY = 'Type your message or @path/to/file';
export const LONG = { timeoutMs: 50_000 };

type ScreenOptions = NonNullable<Parameters<TestRig['screen']>[1]>;

/** The program with everything loaded: its footer tells the model in use. */
export async function startUi(
  rig: TestRig,
  args: string[] = [],
  options: Partial<ScreenOptions> = {},
): Promise<Screen> {
  const screen = await rig.screen(args, { ...options, env: { COLORTERM: 'truecolor', ...options.env } });
  await screen.waitFor((seen) => seen.includes(READY) && seen.includes('/model'), LONG);
  return screen;
}

/** Types a command, and presses Enter when all of it is there. */
export async function command(screen: Screen, line: string): Promise<void> {
  screen.type(line);
  await screen.waitFor((seen) => seen.includes(`> ${line}`) || seen.includes(`* ${line}`), LONG);
  screen.press('Enter');
}

/** Sends a prompt and waits for something of the answer. */
export async function ask(screen: Screen, prompt: string, answer: string | RegExp): Promise<void> {
  await command(screen, prompt);
  await screen.waitFor(answer, LONG);
}

/** Until the input is empty and nothing else is open. */
export function isReady(seen: string): boolean {
  return seen.includes(READY);
}

/** As a shell wants to find it. */
export const CLEAN: ScreenModes = {
  paste: false,
  focus: false,
  mouse: false,
  wrap: true,
  alternate: false,
  hiddenCursor: false,
  savedTitles: 0,
};

export function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

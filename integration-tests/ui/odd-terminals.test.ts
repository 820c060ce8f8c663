import { chunks, silence, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, CLEAN, command, countOf, isReady, LONG, startUi } from './ui.js';

describe('A small terminal', () => {
  it.each([
    [40, 10],
    [20, 5],
  ])('of %i × %i can type, send and show an answer; the frame never overflows', async (cols, rows) => {
    const rig = await testRig();
    rig.model.replies([text('Short answer.')]);
    const screen = await rig.screen([], { cols, rows });
    await screen.waitFor((seen) => seen.includes('>'), LONG);
    screen.type('hi\r');
    await screen.waitFor(() => screen.history().includes('✦ Short answer.'), LONG);
    expect(countOf(screen.history(), 'Short answer.')).toBe(1);
    screen.type('abc');
    await screen.waitFor('> abc', LONG);
    screen.press('Ctrl+C', 'Ctrl+C', 'Ctrl+C');
    await screen.exit;
    expect(screen.modes()).toEqual(CLEAN);
  });

  it('of 40 × 10 fits dialogs and questions with their choices', async () => {
    const rig = await testRig();
    const screen = await startUiSmall(rig);
    screen.type('/theme');
    await screen.waitFor('> /theme', LONG);
    screen.press('Enter');
    await screen.waitFor((seen) => seen.includes('Select Theme') && /\d more|▼/.test(seen), LONG);
    screen.press('Esc');
    await screen.waitFor((seen) => seen.includes('>') && !seen.includes('Select Theme'), LONG);
  });

  it('that is too small shows a note, and recovers', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    screen.type('kept');
    await screen.waitFor('> kept', LONG);
    screen.resize(12, 3);
    await screen.waitFor('too small', LONG);
    screen.resize(80, 24);
    await screen.waitFor((seen) => seen.includes('> kept') && seen.includes('/model'), LONG);
  });
});

async function startUiSmall(rig: Awaited<ReturnType<typeof testRig>>) {
  const screen = await rig.screen([], { cols: 40, rows: 10, env: { COLORTERM: 'truecolor' } });
  await screen.waitFor('Shift+Tab', LONG);
  return screen;
}

describe('Colours', () => {
  it('are in no cell with NO_COLOR, and everything is readable', async () => {
    const rig = await testRig();
    rig.model.replies([text('A **bold** `word`.\n\n```js\nlet a = 1;\n```')]);
    const screen = await startUi(rig, [], { env: { NO_COLOR: '1' } });
    await ask(screen, 'hi', 'let a = 1;');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/theme');
    await screen.waitFor('NO_COLOR', LONG);
    const coloured = screen
      .cells()
      .flat()
      .filter((cell) => cell.color !== undefined || cell.background !== undefined);
    expect(coloured).toEqual([]);
    expect(screen.raw()).not.toMatch(/\x1b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7])(?:;|m)/);
  });

  it('are not used with TERM=dumb, which gets line by line', async () => {
    const rig = await testRig();
    rig.model.replies([text('Plain.')]);
    const screen = await rig.screen([], { env: { TERM: 'dumb' } });
    await screen.waitFor(/model: .*\n>/, LONG);
    await ask(screen, 'hi', 'Plain.');
    expect(
      screen
        .cells()
        .flat()
        .some((cell) => cell.color !== undefined),
    ).toBe(false);
  });

  it('are never true colours in a terminal with 256', async () => {
    const rig = await testRig();
    const screen = await startUi(rig, [], { env: { COLORTERM: undefined } });
    await command(screen, '/about');
    await screen.waitFor('CLI Version', LONG);
    expect(screen.raw()).not.toContain('\x1b[38;2;');
    expect(
      screen
        .cells()
        .flat()
        .some((cell) => typeof cell.color === 'number'),
    ).toBe(true);
  });
});

it('many resizes during an answer lose nothing and double nothing on the screen', async () => {
  const rig = await testRig({ settings: { ide: { hasSeenNudge: true } } });
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lines = Array.from({ length: 60 }, (_, index) => `item ${index} here\n\n`);
  rig.model.replies([chunks(lines.slice(0, 30)), { do: 'wait', until }, chunks(lines.slice(30))]);
  const screen = await startUi(rig, [], { env: { TERM_PROGRAM: 'vscode' } });
  await ask(screen, 'go', 'item 29 here');
  for (let round = 0; round < 30; round++) screen.resize(50 + ((round * 37) % 70), 12 + ((round * 13) % 30));
  screen.resize(60, 20);
  await screen.waitFor((seen) => seen.includes(`\n${'─'.repeat(60)}\n`), LONG);
  release();
  // A frame may still be on its way when the answer is there, so all of it is asked of one screen.
  const isWhole = (text: string) => [0, 15, 29, 30, 59].every((index) => text.includes(`item ${index} here`));
  const isOnce = (text: string) => [55, 59].every((index) => countOf(text, `item ${index} here`) === 1);
  await screen.waitFor((seen) => isReady(seen) && isOnce(seen) && isWhole(screen.history()), LONG);
  screen.type('ok');
  await screen.waitFor('> ok', LONG);
});

describe('The alternate buffer', () => {
  const settings = { ui: { useAlternateBuffer: true } };

  it('scrolls with keys and wheel, and restores the normal screen with the end of the conversation', async () => {
    const rig = await testRig({ settings });
    const lines = Array.from({ length: 80 }, (_, index) => `row ${index} of it`);
    rig.model.replies([text(lines.join('\n\n'))]);
    const screen = await startUi(rig);
    expect(screen.modes()).toMatchObject({ alternate: true, mouse: true });
    await ask(screen, 'much', 'row 79 of it');
    await screen.waitFor(isReady, LONG);
    screen.press('PageUp', 'PageUp');
    await screen.waitFor((seen) => !seen.includes('row 79 of it') && seen.includes('row 6'), LONG);
    screen.type('\x1b[<65;10;5M'.repeat(40));
    await screen.waitFor('row 79 of it', LONG);
    screen.press('Shift+Home');
    await screen.waitFor('> much', LONG);
    screen.press('Shift+End');
    await screen.waitFor('row 79 of it', LONG);
    await command(screen, '/quit');
    expect(await screen.exit).toMatchObject({ exitCode: 0 });
    expect(screen.modes()).toEqual(CLEAN);
    expect(screen.text()).toContain('To resume this session');
    expect(screen.history()).toContain('row 79 of it');
  });

  it('is frozen in copy mode until another key', async () => {
    const rig = await testRig({ settings });
    rig.model.replies([text('Begin'), silence()]);
    const screen = await startUi(rig);
    await ask(screen, 'go', '✦ Begin');
    screen.press('F9');
    await screen.waitFor(/[Cc]opy mode/, LONG);
    screen.press('Esc');
    await screen.waitFor((seen) => !/[Cc]opy mode/.test(seen), LONG);
    screen.press('Esc');
    await screen.waitFor('Request cancelled.', LONG);
  });
});

it('a screen reader gets words instead of boxes and symbols, and nothing is drawn twice', async () => {
  const rig = await testRig();
  rig.model.replies([text('A **plain** answer.')]);
  const screen = await rig.screen(['--screen-reader']);
  await screen.waitFor('Type your message', LONG);
  screen.type('hello');
  await screen.waitFor('hello', LONG);
  screen.press('Enter');
  await screen.waitFor('Model: A plain answer.', LONG);
  const all = screen.history();
  expect(all).toContain('User: hello');
  expect(all).not.toMatch(/[╭╰│▄▀✦▝]/);
  expect(screen.modes().alternate).toBe(false);
  screen.press('Ctrl+C', 'Ctrl+C');
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
});

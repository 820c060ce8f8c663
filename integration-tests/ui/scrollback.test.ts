import { type Screen, silence, type TestRig, testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, countOf, isReady, LONG, READY, startUi } from './ui.js';

/** The terminal has been in use before the program starts. */
const AFTER_SEQ = {
  under: ['bash', '-c', 'seq 1001 1100; exec "$@"', '-'],
  // The emulator of the tests wraps as that of VS Code.
  env: { TERM_PROGRAM: 'vscode' },
};
/** Nothing is offered at the start. */
const KNOWN_EDITOR = { settings: { ide: { hasSeenNudge: true } } };
const ITEMS = Array.from(
  { length: 40 },
  (_, index) => `Item ${index} ${'and some more words '.repeat(3)}end${index}.`,
);

async function afterTalk(rig: TestRig): Promise<Screen> {
  rig.model.replies([text('A short **first** answer.')], [text(ITEMS.join('\n\n'))]);
  const screen = await startUi(rig, [], { ...AFTER_SEQ, cols: 100, rows: 30 });
  await ask(screen, 'begin here', 'first answer');
  await screen.waitFor(isReady, LONG);
  await ask(screen, 'and much more', 'end39.');
  await screen.waitFor(isReady, LONG);
  return screen;
}

function expectAllThere(screen: Screen): void {
  const all = screen.history();
  for (let line = 1001; line <= 1100; line++) expect(countOf(all, `${line}`), `${line}`).toBe(1);
  for (const part of ['> begin here', 'answer.', '> and much more']) expect(all).toContain(part);
  for (let index = 0; index < 40; index++) {
    expect(all, `${index}`).toMatch(new RegExp(`Item ${index} and`));
    expect(all, `${index}`).toContain(`end${index}.`);
  }
  expect(screen.raw()).not.toContain('\x1b[3J');
}

describe('The scrollback of the terminal', () => {
  it('survives a narrower and a wider window without a second copy', async () => {
    const rig = await testRig(KNOWN_EDITOR);
    const screen = await afterTalk(rig);
    screen.resize(60, 30);
    // Words are not broken by the terminal any more once the screen was written again.
    await screen.waitFor((seen) => isReady(seen) && /and some\n\s+more words end32\./.test(seen), LONG);
    expectAllThere(screen);
    expect(countOf(screen.history(), '> begin here')).toBe(1);
    screen.resize(120, 36);
    await screen.waitFor((seen) => isReady(seen) && seen.includes('─'.repeat(120)), LONG);
    expectAllThere(screen);
    for (const part of ['> begin here', 'Item 0 and', 'Item 39 and'])
      expect(countOf(screen.history(), part)).toBe(1);
  });

  it.each([
    ['narrower', 80, 40],
    ['lower', 100, 30],
    ['both', 80, 30],
  ])(
    'keeps the lines of the shell in a window that becomes %s while the program starts',
    async (_what, cols, rows) => {
      const rig = await testRig(KNOWN_EDITOR);
      const screen = await rig.screen([], { under: AFTER_SEQ.under, cols: 100, rows: 40 });
      await screen.waitFor(READY, LONG);
      screen.resize(cols, rows);
      await screen.waitFor((seen) => isReady(seen) && seen.includes('─'.repeat(cols)), LONG);
      for (let line = 1001; line <= 1100; line++)
        expect(countOf(screen.history(), `${line}`), `${line}`).toBe(1);
    },
  );

  it('keeps the lines of the shell that are on the screen in a short session', async () => {
    const rig = await testRig(KNOWN_EDITOR);
    rig.model.replies([text('A short answer of several words that a narrow window must wrap.')]);
    const screen = await startUi(rig, [], { ...AFTER_SEQ, cols: 100, rows: 40 });
    await ask(screen, 'begin here', 'must wrap');
    await screen.waitFor(isReady, LONG);
    screen.resize(50, 40);
    await screen.waitFor(
      (seen) => isReady(seen) && /✦ A short answer of several words that a\s/.test(seen),
      LONG,
    );
    for (let line = 1001; line <= 1100; line++) expect(countOf(screen.history(), `${line}`)).toBe(1);
    expect(countOf(screen.history(), '> begin here')).toBe(1);
  });

  it('survives Ctrl+L, which shows the newest screenful', async () => {
    const rig = await testRig(KNOWN_EDITOR);
    const screen = await afterTalk(rig);
    const before = screen.raw().length;
    screen.press('Ctrl+L');
    await screen.waitFor(
      (seen) => screen.raw().length > before && isReady(seen) && seen.includes('end39.'),
      LONG,
    );
    expectAllThere(screen);
    expect(countOf(screen.history(), '> begin here')).toBe(1);
  });

  it('survives Alt+M, which shows the last response in the other form', async () => {
    const rig = await testRig(KNOWN_EDITOR);
    rig.model.replies([text(`It is **bold**.\n\n${ITEMS.join('\n\n')}`)]);
    const screen = await startUi(rig, [], { ...AFTER_SEQ, cols: 100, rows: 30 });
    await ask(screen, 'and much more', 'end39.');
    await screen.waitFor(isReady, LONG);
    screen.type('\x1bm');
    await screen.waitFor((seen) => seen.includes('raw markdown mode') && seen.includes('end39.'), LONG);
    const all = screen.history();
    expect(all).toContain('It is bold.');
    expect(all).toContain('It is **bold**.');
    for (let line = 1001; line <= 1100; line++) expect(countOf(all, `${line}`)).toBe(1);
    expect(screen.raw()).not.toContain('\x1b[3J');
  });

  it('is erased by /clear', async () => {
    const rig = await testRig(KNOWN_EDITOR);
    const screen = await startUi(rig, [], AFTER_SEQ);
    await command(screen, '/clear');
    await screen.waitFor(() => screen.raw().includes('\x1b[3J'), LONG);
    await screen.waitFor(isReady, LONG);
    expect(screen.history()).not.toContain('1050');
  });

  it('is left alone by resizes during an answer', async () => {
    const rig = await testRig(KNOWN_EDITOR);
    rig.model.replies([text(ITEMS.slice(0, 12).join('\n\n')), silence()]);
    const screen = await startUi(rig, [], { ...AFTER_SEQ, cols: 100, rows: 30 });
    await ask(screen, 'go', 'end10.');
    for (const columns of [90, 70, 60, 75, 66]) screen.resize(columns, 30);
    await screen.waitFor((seen) => seen.includes('─'.repeat(66)) && !/ wor\nds /.test(seen), LONG);
    screen.press('Esc');
    await screen.waitFor('Request cancelled.', LONG);
    const ends = ITEMS.slice(0, 11).map((_, index) => `end${index}.`);
    await screen.waitFor(() => ends.every((end) => screen.history().includes(end)), LONG);
    for (let line = 1001; line <= 1100; line++) expect(countOf(screen.history(), `${line}`)).toBe(1);
  });
});

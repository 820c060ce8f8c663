import { describe, expect, it, vi } from 'vitest';
import { key } from '../testing/keys.test-helper.js';
import { renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { widthOf } from '../text/columns.js';
import { ask, choicesIn, type Details, long } from './ask.test-helper.js';
import {
  editDetails,
  execDetails,
  INFO_DETAILS,
  MCP_DETAILS,
  PLAN_DETAILS,
  SANDBOX_DETAILS,
} from './details.test-helper.js';
import { ToolConfirmationMessage } from './ToolConfirmationMessage.js';

/** The first frame loads much; a busy machine takes its time. */
vi.setConfig({ testTimeout: 60_000 });

describe('The details', () => {
  it.each([
    [24, 9],
    [40, 10],
    [80, 24],
  ])("can be read row by row, from the tool's name to the rule: %i x %i", async (width, height) => {
    const details = execDetails({
      command: `${long(40)} > out.txt`,
      systemMessage: 'A hook says: look twice.',
      always: { commandPrefix: ['make', 'touch'] },
    });
    const { lastFrame, press } = await ask(details, { width, height, cwd: '/home/u' });
    const rows = new Set<string>();
    for (let before = ''; lastFrame() !== before; await press(key('shift+down'))) {
      before = lastFrame();
      for (const line of before.split('\n')) rows.add(line.replace(/^│\s*|\s*│$/g, ''));
    }
    const seen = [...rows].join(' ');
    for (let line = 1; line < 40; line++) expect(rows).toContain(`echo line ${line}`);
    for (const word of ['A Tool', 'redirects', '> out.txt', 'twice.', 'in /home/u', 'make …', 'touch …'])
      expect(seen).toContain(word);
  });

  it('say how much of a long command is hidden', async () => {
    const { lastFrame, press } = await ask(execDetails({ command: long(60) }));
    expect(lastFrame()).toMatch(/… \d+ more lines, PageDown/);
    expect(lastFrame()).not.toContain('echo line 60');
    for (let page = 0; page < 10; page++) await press(key('pagedown'));
    expect(lastFrame()).toContain('echo line 60');
    expect(lastFrame()).toMatch(/… end; \d+ lines above, PageUp/);
  });

  it('fill the box after Ctrl+O, where nothing can be answered by mistake', async () => {
    const { lastFrame, press, answers } = await ask(execDetails({ command: long(60) }), { fullRows: 70 });
    await press(key('ctrl+o'));
    expect(lastFrame()).toContain('echo line 60');
    expect(choicesIn(lastFrame())).toEqual([]);
    await press(key('enter'), key('1'), key('escape'));
    expect(answers).toEqual([]);
    expect(choicesIn(lastFrame())).toHaveLength(4);
  });

  it('stay within their rows if they are a line of a megabyte', async () => {
    const { lastFrame } = await ask(execDetails({ command: 'x'.repeat(1_000_000) }));
    expect(lastFrame().split('\n').length).toBeLessThanOrEqual(24);
    expect(lastFrame()).toMatch(/… 13\d{3} more lines, PageDown/);
  });

  it('are marked where characters are invisible, bidirectional or control the terminal', async () => {
    const hostile = 'rm \u202e/\u200bx \x1b[2J\x1b]52;c;aGk=\x07';
    const { lastFrame } = await ask(
      execDetails({ command: hostile, title: 'T\u202e', rootCommand: 'rm', systemMessage: 'm\x1b[2J' }),
    );
    expect(lastFrame()).toContain('\\u{202E}');
    expect(lastFrame()).toContain('\\u{1B}[2J');
    expect(lastFrame()).not.toMatch(/[\u202e\u200b\x1b\x07]/);
  });

  it('come with a warning about deceptive addresses', async () => {
    const { lastFrame } = await ask({
      ...INFO_DETAILS,
      prompt: 'see https://g\u043e\u043egle.com/x',
    } as typeof INFO_DETAILS);
    expect(lastFrame()).toMatch(/not what it looks like.*\n?.*xn--ggle-55da\.com/s);
  });

  it('come with a warning about redirection', async () => {
    const { lastFrame } = await ask(execDetails({ command: 'echo a > ~/.bashrc' }));
    expect(lastFrame()).toContain('redirects input or output: > ~/.bashrc');
  });

  it('show the message of a hook above the question', async () => {
    const { lastFrame } = await ask(execDetails({ systemMessage: 'A hook says: look twice.' }));
    const frame = lastFrame();
    expect(frame.indexOf('look twice')).toBeLessThan(frame.indexOf('Allow running'));
    expect(frame).toContain('look twice');
  });
});

describe('The box', () => {
  const all = [editDetails(), execDetails(), MCP_DETAILS, INFO_DETAILS, SANDBOX_DETAILS, PLAN_DETAILS];
  it.each(
    all.flatMap((details) =>
      [40, 80, 120].flatMap((width) => [10, 24].map((height) => ({ details, width, height }))),
    ),
  )('fits $width columns and $height rows: $details.type', async ({ details, width, height }) => {
    const { lastFrame } = await ask(details, {
      width,
      height,
      total: 3,
      index: 1,
      readPlan: async () => long(80),
    });
    const lines = lastFrame().split('\n');
    expect(lines.length).toBeLessThanOrEqual(height);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lastFrame()).toContain('2 of 3');
    expect(lastFrame()).toMatch(/Allow|Yes/);
  });

  it.each([20, 24, 40].flatMap((width) => [4, 5, 6, 7].map((height) => ({ width, height }))))(
    'shows what Enter would choose, and that there is more: $width x $height',
    async (size) => {
      const errors = vi.spyOn(console, 'error').mockReturnValue(undefined);
      const { lastFrame } = await ask(execDetails({ command: long(30) }), size);
      expect(errors).not.toHaveBeenCalled();
      const lines = lastFrame().split('\n');
      expect(lines.length).toBeLessThanOrEqual(size.height);
      expect(lastFrame()).toContain('● 1. Allow once');
      expect(lastFrame()).toMatch(/… \d+ more lines/);
    },
  );

  it('has neither box nor symbol for a screen reader', async () => {
    const { lastFrame } = await ask(execDetails(), { screenReader: true });
    expect(lastFrame()).not.toMatch(/[╭╮│╰╯●⚠─]/);
    expect(lastFrame()).toContain('1. Allow once, selected');
  });

  it('says that it waits for the editor', async () => {
    const { lastFrame, press, answers } = await ask(editDetails());
    await press(key('4'));
    expect(answers).toEqual([['modify_with_editor', undefined]]);
    expect(lastFrame()).toContain('Save and close external editor');
    await press(key('1'), key('escape'));
    expect(answers).toHaveLength(1);
  });

  it('starts afresh with the next question', async () => {
    const answers: string[] = [];
    const node = (details: Details) => (
      <ToolConfirmationMessage
        confirmationDetails={details}
        toolName="t"
        onAnswer={(outcome) => answers.push(outcome)}
      />
    );
    const first = execDetails();
    const screen = await renderWithProviders(node(first));
    await screen.press(key('down'), key('enter'));
    screen.rerender(node(execDetails({ command: 'make' })));
    await screen.settle();
    expect(screen.lastFrame()).toContain('make');
    await screen.press(key('enter'));
    expect(answers).toEqual(['proceed_always', 'proceed_once']);
  });
});

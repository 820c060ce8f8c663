import { beforeAll, describe, expect, it } from 'vitest';
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { Look } from '../look.js';
import { grammarsLoaded, prepareLanguage } from '../markdown/highlight.js';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { ansiWidth } from '../text/width.js';
import { DEFAULT_DARK } from '../themes/builtin/default.js';
import { createPaint } from '../themes/paint.js';
import { headerLines, startTips } from './header.js';
import { gapBefore, linesOf } from './lines.js';
import { DIFF, EDIT, ITEMS, METRICS, output, tool } from './sample-items.test-helper.js';

const shown: Look = { ...plainLook(80), showThinking: true };
const coloured: Look = { ...shown, theme: DEFAULT_DARK, depth: 'truecolor', paint: createPaint('truecolor') };
const draw = (item: HistoryItemWithoutId, more: Partial<Look> = {}) => linesOf(item, { ...shown, ...more });
const group = (...tools: ReturnType<typeof tool>[]): HistoryItemWithoutId => ({ type: 'tool_group', tools });

beforeAll(async () => {
  prepareLanguage('ts');
  await grammarsLoaded();
});

describe('An item', () => {
  it.each(ITEMS.map((item, index) => [`${index} ${item.type}`, item] as const))(
    'is drawn as plain text: %s',
    (_name, item) => {
      expect(linesOf(item, shown).join('\n')).toMatchSnapshot();
    },
  );

  it.each(ITEMS.map((item, index) => [`${index} ${item.type}`, item] as const))(
    'is drawn in words for a screen reader: %s',
    (_name, item) => {
      const text = draw(item, { screenReader: true }).join('\n');
      expect(text).toMatchSnapshot();
      expect(text).not.toMatch(/[│╭╮╰╯─✦✓✗☐»⛔⊷ℹ⚠✕💡↳]/u);
    },
  );

  it('is drawn in colours', () => {
    const text = ITEMS.slice(0, 12)
      .flatMap((item) => linesOf(item, coloured))
      .join('\n');
    expect(text.replaceAll('\x1b', '␛')).toMatchSnapshot();
  });

  it.each([20, 40, 80, 200])('fits into %i columns', (width) => {
    for (const look of [
      { ...shown, width },
      { ...coloured, width },
      { ...shown, width, compactTools: false },
      { ...shown, width, screenReader: true },
    ]) {
      for (const item of ITEMS) {
        for (const line of linesOf(item, look))
          expect(ansiWidth(line), `${item.type}: ${line}`).toBeLessThanOrEqual(width);
      }
    }
  });

  it.each([1, 2, 5, 10])('fits into %i rows and counts the hidden lines', (height) => {
    for (const item of ITEMS) {
      const all = linesOf(item, shown).length;
      const lines = linesOf(item, shown, { height });
      expect(lines.length).toBe(Math.min(all, height));
      if (all > height) expect(lines.join('\n')).toContain(`${all - height + 1}`);
    }
  });

  it('is drawn only once for the same look', () => {
    const item = ITEMS[2] as HistoryItemWithoutId;
    expect(linesOf(item, shown)).toBe(linesOf(item, shown));
  });
});

describe('User messages', () => {
  it('are drawn on a tint with half-block edges where the theme has a tint', () => {
    const lines = linesOf({ type: 'user', text: 'hello' }, { ...coloured, width: 20 });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('▄'.repeat(20));
    expect(lines[2]).toContain('▀'.repeat(20));
    expect(lines[1]).toContain('48;2;38;42;55');
  });

  it('are plain where the theme has no tint', () => {
    const ansi16 = { ...coloured, paint: createPaint('ansi16') };
    expect(linesOf({ type: 'user', text: 'hello' }, ansi16)).toHaveLength(1);
    expect(draw({ type: 'user', text: 'a\nb' })).toEqual(['> a', '  b']);
  });

  it('show the label of a paste, and with Ctrl+O all of it', () => {
    const item = { type: 'user', text: 'Why? a\nb\nc', shown: 'Why? [Pasted Text: 3 lines]' } as const;
    expect(draw(item)).toEqual(['> Why? [Pasted Text: 3 lines]']);
    expect(linesOf(item, { ...shown, expanded: true })).toEqual(['> Why? a', '  b', '  c']);
  });

  it('are cut where they are very long, for example pasted in an earlier session', () => {
    const text = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
    const lines = draw({ type: 'user', text });
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('  … 490 more lines hidden (ctrl+o to show)');
    expect(linesOf({ type: 'user', text }, { ...shown, expanded: true })).toHaveLength(500);
  });

  it('cannot forge other parts of the screen', () => {
    expect(draw({ type: 'user', text: 'a\x1b[2J\x1b]0;t\x07b\u202e' })).toEqual(['> ab\\u{202E}']);
  });
});

describe('Tool calls', () => {
  it('that update the topic are a heading with the intent, without name and mark', () => {
    const topic = tool({
      name: 'update_topic',
      displayName: 'Update Topic Context',
      description: 'The parser',
    });
    const display = 'Read the grammar first.';
    expect(draw(group({ ...topic, display }))).toEqual(['The parser  Read the grammar first.']);
    expect(draw(group({ ...topic, description: '', display }))).toEqual(['Read the grammar first.']);
    expect(draw(group({ ...topic, display }), { screenReader: true })).toEqual([
      'Topic: The parser: Read the grammar first.',
    ]);
    expect(draw(group({ ...topic, status: 'error', error: 'No intent.' })).join()).toContain('No intent.');
  });

  it('take one line when they only read', () => {
    expect(draw(group(tool({ display: 'Read 20 lines' })))).toEqual(['✓  ReadFile  a.txt → Read 20 lines']);
  });

  it('cut the description, not the summary', () => {
    const long = tool({ description: 'x'.repeat(200), display: 'Read 20 lines' });
    const [line = ''] = draw(group(long), { width: 50 });
    expect(line).toMatch(/^✓ {2}ReadFile {2}x+… → Read 20 lines$/);
    expect(line).toHaveLength(50);
  });

  it('show the first 15 lines of a diff, and all of them when expanded', () => {
    const added = Array.from({ length: 40 }, (_, index) => `+line ${index}`).join('\n');
    const big = tool({
      ...EDIT,
      display: {
        fileDiff: `@@ -0,0 +1,40 @@\n${added}\n`,
        fileName: 'a.txt',
        filePath: '/a.txt',
        originalContent: null,
        newContent: '',
      },
    });
    const lines = draw(group(big));
    expect(lines).toHaveLength(17);
    expect(lines[0]).toContain('(+40, -0)');
    expect(lines.at(-1)).toContain('25 more lines hidden');
    expect(draw(group(big), { expanded: true })).toHaveLength(41);
  });

  it('show the last 15 lines of output, and all of them when expanded', () => {
    const running = tool({
      displayName: 'Shell',
      status: 'executing',
      display: output(...Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)),
    });
    const lines = draw(group(running));
    expect(lines.join('\n')).toContain('85 lines above hidden');
    expect(lines.at(-2)).toContain('line 100');
    expect(lines.join('\n')).not.toContain('line 85 ');
    expect(draw(group(running), { expanded: true })).toHaveLength(103);
  });

  it('show everything in frames when compact output is disabled', () => {
    const grep = tool({
      displayName: 'SearchText',
      display: { summary: 'Found 1 match', matches: [{ filePath: 'a.ts', lineNumber: 3, line: '  x();' }] },
    });
    expect(draw(group(grep), { compactTools: false, width: 40 })).toEqual([
      `╭${'─'.repeat(38)}╮`,
      '│ ✓  SearchText  a.txt → Found 1 match │',
      '│ a.ts:3: x();                         │',
      `╰${'─'.repeat(38)}╯`,
    ]);
  });

  it('draw text of a tool as Markdown only when it is Markdown', () => {
    const text = tool({ displayName: 'Mcp', display: '# T\n\n**b**' });
    expect(draw(group(text)).join()).toContain('**b**');
    expect(draw(group({ ...text, isMarkdown: true })).join()).not.toContain('**b**');
  });

  it('show an error once', () => {
    expect(draw(group(tool({ status: 'error', error: 'No such file', display: 'No such file' })))).toEqual([
      'x  ReadFile  a.txt → No such file',
    ]);
  });

  it('show an error of several lines once, too', () => {
    const error = `Path not in workspace.\n${'Use another one. '.repeat(10)}`;
    const lines = draw(group(tool({ status: 'error', error, display: error })), { width: 60 });
    expect(lines.join('\n').split('Path not in workspace.')).toHaveLength(2);
  });

  it('show a long error on lines of its own', () => {
    const lines = draw(group(tool({ status: 'error', error: `Cannot read it: ${'because '.repeat(12)}` })), {
      width: 60,
    });
    expect(lines.join('\n')).toContain('│ Cannot read it: because');
    expect(lines.length).toBeGreaterThan(4);
  });

  it('name the agent that made the call', () => {
    expect(draw(group(tool({ agent: 'helper' })))).toEqual(['✓  ReadFile (helper)  a.txt']);
  });

  it('are redrawn one by one', () => {
    const first = tool({ display: 'Read 1 line' });
    const before = draw(group(first));
    expect(draw(group(first, tool({ callId: 'c2' })))[0]).toBe(before[0]);
  });

  it('strip control characters from program and server output', () => {
    const evil = tool({
      displayName: 'a\x1b[2J',
      description: '\x1b]52;c;eA==\x07d\nnew',
      display: output('x\x1b[31my'),
    });
    expect(draw(group(evil)).join('\n')).not.toContain('\x1b');
  });
});

describe('Errors', () => {
  it('are followed by what the user can do', () => {
    expect(draw({ type: 'error', text: 'Broken', advice: 'Mend it.' })).toEqual(['✕ Broken', '  Mend it.']);
  });

  it('without known advice are shown as they are', () => {
    expect(draw({ type: 'error', text: 'Port 403 is taken' })).toEqual(['✕ Port 403 is taken']);
  });
});

describe('Statistics', () => {
  it('have no tables for an empty session', () => {
    const empty = { ...METRICS, models: {}, tools: { ...METRICS.tools, byName: {}, totalCalls: 0 } };
    expect(draw({ type: 'model_stats', metrics: empty }).join()).toContain('No model has been asked');
    expect(draw({ type: 'tool_stats', metrics: empty }).join()).toContain('No tool has been called');
  });

  it('name the use of tokens in words', () => {
    const [model = ''] = Object.keys(METRICS.models);
    const known = METRICS.models[model];
    if (!known?.roles['main']) throw new Error('The sample has no model.');
    const roles = { main: known.roles['main'], utility_summarizer: known.roles['main'] };
    const metrics = { ...METRICS, models: { [model]: { ...known, roles } } };
    const text = draw({ type: 'model_stats', metrics }).join('\n');
    expect(text).toContain('↳ main');
    expect(text).toContain('↳ summaries');
    expect(text).not.toContain('utility');
  });

  it('end with how to resume the session', () => {
    const text = draw(ITEMS.at(-2) as HistoryItemWithoutId).join('\n');
    expect(text).toContain('Agent powering down. Goodbye!');
    expect(text).toContain('To resume this session: gemini --resume 3f2a8c1e');
    expect(draw({ type: 'quit' })).toEqual(['Agent powering down. Goodbye!']);
  });
});

describe('gapBefore', () => {
  const info: HistoryItemWithoutId = { type: 'info', text: 'a' };
  const compact = group(tool({}));
  it.each<[string, HistoryItemWithoutId | undefined, HistoryItemWithoutId, 0 | 1]>([
    ['before the first', undefined, info, 0],
    ['between notices', info, { type: 'error', text: 'b' }, 0],
    ['between one-line calls', compact, group(tool({})), 0],
    ['before a frame', compact, group(tool({ display: DIFF })), 1],
    ['between different kinds', info, compact, 1],
    [
      'between parts of an answer',
      { type: 'gemini', text: 'a' },
      { type: 'gemini', text: 'b', isContinued: true },
      1,
    ],
  ])('decides about a blank row %s', (_name, previous, item, expected) => {
    expect(gapBefore(previous, item, shown)).toBe(expected);
  });

  it('keeps no row for hidden thoughts', () => {
    const thought: HistoryItemWithoutId = { type: 'thinking', subject: 's', text: 't' };
    expect(linesOf(thought, plainLook())).toEqual([]);
    expect(gapBefore(info, thought, plainLook())).toBe(0);
  });
});

describe('The header', () => {
  const header = {
    version: '1.2.3',
    identity: 'me@example.com',
    plan: 'Free',
    tips: startTips(false),
    banner: 'News',
  };
  it.each([80, 40])('is drawn at %i columns', (width) => {
    const lines = headerLines(header, plainLook(width));
    expect(lines.join('\n')).toMatchSnapshot();
    for (const line of lines) expect(ansiWidth(line)).toBeLessThanOrEqual(width);
  });

  it('says that the program is not by Google, like the about box', () => {
    expect(headerLines({ version: '1' }, plainLook(60)).join('\n')).toContain(
      'Gemini CLI v1 · independent, not by Google',
    );
    const about = { version: '1', model: 'm', sandbox: 'no sandbox', os: 'linux', auth: 'none' };
    expect(draw({ type: 'about', about }).join('\n')).toContain('not Google; report problems with /bug');
  });

  it('has no logo for a screen reader or when it is hidden', () => {
    const spoken = headerLines(header, { ...plainLook(80), screenReader: true });
    expect(spoken[0]).toBe('News');
    expect(headerLines({ ...header, isHidden: true }, plainLook(80))).toEqual(spoken);
  });

  it('has at most four tips, and none about GEMINI.md where one exists', () => {
    expect(startTips(false).join()).toContain('GEMINI.md');
    expect(startTips(true).join()).not.toContain('GEMINI.md');
    const lines = headerLines({ version: '1', tips: ['a', 'b', 'c', 'd', 'e'] }, plainLook(80));
    expect(lines.at(-1)).toBe('4. d');
    expect(lines).toContain('Tips for getting started:');
  });

  it('shows a running update', () => {
    expect(headerLines({ version: '1', updating: '⠋' }, plainLook(80)).join('\n')).toContain('⠋ Updating');
  });
});

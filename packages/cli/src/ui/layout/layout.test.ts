import { ApprovalMode } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import { initialState, type Retry, type UiState } from '../store/state.js';
import { plainLook } from '../testing/plain-look.test-helper.js';
import { textWidth } from '../text/width.js';
import { drawerLines } from './drawer.js';
import { footerLines } from './footer.js';
import { type StatusOptions, statusLines } from './status.js';
import { duration } from './time.js';

const STATE: UiState = {
  ...initialState(
    {
      cwd: '/projects/a-rather-long-name-of-a-folder/and-one-more',
      sandbox: 'no sandbox',
      model: 'gemini-pro',
      sessionId: '12345678-aaaa',
      contextFiles: 2,
      contextFileName: 'GEMINI.md',
      skills: 0,
      mcpServers: 1,
      backgroundTasks: 0,
      trusted: true,
      branch: 'main',
    },
    ApprovalMode.DEFAULT,
  ),
  isReady: true,
};
const STATUS: StatusOptions = {
  now: 65_000,
  tick: 0,
  showSpinner: true,
  showShortcutsHint: true,
  showContextSummary: true,
};
const WIDTHS = [20, 40, 80, 200];

describe('The status rows', () => {
  it('show that a system prompt of the user is in use', () => {
    const state = { ...STATE, facts: { ...STATE.facts, hasOwnPrompt: true } };
    expect(statusLines(state, plainLook(100), STATUS).join('\n')).toContain('|⌐■_■| · 2 GEMINI.md files');
  });

  it('show the context summary and the approval mode', () => {
    const lines = statusLines(STATE, plainLook(80), STATUS);
    expect(lines[0]).toMatch(/^ +\? for shortcuts$/);
    expect(lines[1]).toBe('─'.repeat(80));
    expect(lines[2]).toMatch(/^ Shift\+Tab to accept edits +2 GEMINI\.md files · 1 MCP server $/);
  });

  it('show the current work, how long it has run, and how to cancel it', () => {
    const busy: UiState = { ...STATE, streaming: 'responding', startedAt: 0, thought: 'Reading the code' };
    expect(statusLines(busy, plainLook(80), STATUS)[0]).toContain('Reading the code (esc to cancel, 1m 5s)');
  });

  it('show which hooks run', () => {
    const one = { id: 'a', name: 'format', index: 1, total: 1 };
    const busy: UiState = { ...STATE, streaming: 'responding', startedAt: 0, hooks: [one] };
    const first = (state: UiState) => statusLines(state, plainLook(100), STATUS)[0] ?? '';
    expect(first(busy)).toContain('Executing Hook: format (esc to cancel, 1m 5s)');
    const two = [
      { ...one, total: 2 },
      { id: 'b', name: 'test\u001b[2J\nrm', index: 2, total: 2 },
    ];
    expect(first({ ...busy, hooks: two })).toContain('Executing Hooks: format (1/2), test rm (2/2)');
    const long = { ...one, name: 'x'.repeat(500) };
    expect(first({ ...busy, hooks: [long] })).toMatch(/x{39}… \(esc to cancel/);
  });

  it('show hooks that run while no request does', () => {
    const hooks = [{ id: 'a', name: 'hello', index: 1, total: 1 }];
    expect(statusLines({ ...STATE, hooks }, plainLook(100), STATUS)[0]).toMatch(
      /^ Executing Hook: hello +\? for shortcuts$/,
    );
  });

  it('show a retry in 60 columns with its cause, countdown, attempt and how to cancel it', () => {
    const retry = { what: 'Server error 503', count: '2/10', endsAt: STATUS.now + 5_400, details: 'long' };
    const lineOf = (change: Partial<Retry>, width = 60) => {
      const busy: UiState = { ...STATE, streaming: 'responding', retry: { ...retry, ...change } };
      return statusLines(busy, plainLook(width), STATUS)[0] ?? '';
    };
    expect(lineOf({}).slice(3)).toBe('Server error 503 · retrying in 6s (2/10) · esc to cancel');
    expect(lineOf({ what: 'A very long failure of a server' })).toMatch(
      /…? · retrying in 6s \(2\/10\) · esc to cancel$/,
    );
    const late = lineOf({ count: '10/10', endsAt: STATUS.now + 360_000 });
    expect(late).toContain(' · retrying in 360s (10/10) · esc to cancel');
    expect(textWidth(late)).toBeLessThanOrEqual(60);
    expect(lineOf({ endsAt: STATUS.now - 1, count: '' }, 80)).toContain('Server error 503 · retrying · esc');
  });

  it('show a retry in 40 columns with its countdown and how to cancel it', () => {
    const retry = { what: 'Server error 503', count: '10/10', endsAt: STATUS.now + 29_400, details: 'long' };
    const busy: UiState = { ...STATE, streaming: 'responding', retry };
    const lineAt = (width: number) => statusLines(busy, plainLook(width), STATUS)[0]?.slice(3).trimEnd();
    expect(lineAt(41)).toBe('retry in 30s (10/10) · esc to cancel');
    expect(lineAt(32)).toBe('retry in 30s · esc to cancel');
  });

  it('says that a command runs, with one promise for Esc', () => {
    const running: UiState = { ...STATE, streaming: 'responding', isShellRunning: true, isShellMode: true };
    const told = (of: UiState) => statusLines(of, plainLook(100), { ...STATUS, now: 3_000 }).join('\n');
    expect(told(running)).toContain(
      'Running command... (tab to type into it, ctrl+b to background, esc to cancel, 3s)',
    );
    expect(told(running)).not.toContain('esc to disable');
    const focused = told({ ...running, isShellFocused: true });
    expect(focused).toContain('typing into the command (shift+tab to leave)');
    expect(focused).not.toContain('esc to');
  });

  it.each([
    [ApprovalMode.AUTO_EDIT, 'auto-accept edits'],
    [ApprovalMode.PLAN, 'plan'],
    [ApprovalMode.YOLO, 'YOLO'],
  ])('name the mode %s', (approvalMode, text) => {
    expect(statusLines({ ...STATE, approvalMode }, plainLook(80), STATUS).join('\n')).toContain(text);
  });

  it('have no spinner and no rule for a screen reader', () => {
    const busy: UiState = { ...STATE, streaming: 'responding', startedAt: 0 };
    const lines = statusLines(busy, { ...plainLook(80), screenReader: true }, STATUS);
    expect(lines.join('\n')).not.toMatch(/[─⠋]/);
  });

  it.each(WIDTHS)('fit %i columns', (width) => {
    const busy: UiState = { ...STATE, streaming: 'responding', startedAt: 0, thought: '日本語'.repeat(50) };
    for (const line of statusLines(busy, plainLook(width), STATUS))
      expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
});

describe('The footer', () => {
  it('has labels above values', () => {
    const [labels, values] = footerLines(STATE, plainLook(120), undefined);
    expect(labels).toMatch(/workspace \(\/directory\) +branch +sandbox +\/model/);
    expect(values).toMatch(/and-one-more +main +no sandbox +gemini-pro/);
    expect(labels?.indexOf('/model')).toBe(values?.indexOf('gemini-pro'));
  });

  it('shows only the chosen items, on one line without labels', () => {
    const lines = footerLines(STATE, plainLook(80), {
      footer: { items: ['model-name', 'session-id'], showLabels: false },
    });
    expect(lines).toEqual([' gemini-pro · 12345678']);
  });

  it('says that the folder is not trusted', () => {
    const state = { ...STATE, facts: { ...STATE.facts, trusted: false } };
    expect(footerLines(state, plainLook(120), undefined).join('\n')).toContain('untrusted');
  });

  it('drops branch and folder first when it is narrow, and marks that', () => {
    const [labels, values] = footerLines(STATE, plainLook(40), undefined);
    expect(values).toContain('…');
    expect(values).toMatch(/no sandbox +gemini-pro/);
    expect(labels).not.toMatch(/branch|workspace/);
    expect(footerLines(STATE, plainLook(16), undefined).join('\n')).not.toContain('gemini-pro');
  });

  it('shows how much of the context is used after the first answer, unless that is hidden', () => {
    const facts = { ...STATE.facts, contextWindow: 1_000 };
    const answered = { ...STATE, facts, tokens: { ...STATE.tokens, prompt: 250 } };
    expect(footerLines(answered, plainLook(160)).join('\n')).toContain('25% used');
    expect(footerLines({ ...STATE, facts }, plainLook(160)).join('\n')).not.toContain('used');
    const hidden = { footer: { hideContextPercentage: true } };
    expect(footerLines(answered, plainLook(160), hidden).join('\n')).not.toContain('25%');
  });

  it('counts errors at the right end with ui.errorVerbosity full, or in debug mode', () => {
    const failed = { ...STATE, errorCount: 2 };
    const last = (state: UiState, ui = {}) => footerLines(state, plainLook(120), ui).at(-1);
    expect(last(failed, { errorVerbosity: 'full' })).toMatch(/ 2 errors \(F12 for details\)$/);
    expect(last({ ...failed, facts: { ...STATE.facts, isDebug: true } })).toContain('2 errors (F12');
    expect(last({ ...STATE, errorCount: 1 }, { errorVerbosity: 'full' })).toContain(' 1 error (F12');
    expect(last(failed)).not.toContain('F12');
    expect(last(STATE, { errorVerbosity: 'full' })).not.toContain('F12');
    for (const width of WIDTHS)
      for (const line of footerLines(failed, plainLook(width), { errorVerbosity: 'full' }))
        expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('shows the memory in use when asked to', () => {
    expect(footerLines(STATE, plainLook(160), { showMemoryUsage: true }).join('\n')).toMatch(/\d+ MB/);
  });

  it.each(WIDTHS)('fits %i columns', (width) => {
    for (const line of footerLines({ ...STATE, vimMode: 'NORMAL' }, plainLook(width), undefined))
      expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
});

describe('The drawer', () => {
  it('counts queued messages beyond three', () => {
    const state = { ...STATE, queue: ['a', 'b', 'c', 'd', 'e'] };
    expect(drawerLines(state, plainLook(80))).toEqual([
      '  queued: a',
      '  queued: b',
      '  queued: c',
      '  … and 2 more',
    ]);
  });

  it('shows the todo in progress on one line, all todos on demand, and none when all are done', () => {
    const todos = [
      { description: 'one', status: 'completed' as const },
      { description: 'two', status: 'in_progress' as const },
      { description: 'three', status: 'cancelled' as const },
    ];
    const lines = (state: UiState) => drawerLines(state, plainLook(80));
    expect(lines({ ...STATE, todos })[0]).toContain('1/2 completed  »  two');
    expect(lines({ ...STATE, todos, showTodos: true }).slice(1)).toEqual([
      '   ✓ one',
      '   » two',
      '   ✗ three',
    ]);
    expect(lines({ ...STATE, todos: todos.slice(0, 1) })).toEqual([]);
  });

  it('shows a fifth line of notices rather than say that it is hidden, and hides from the sixth on', () => {
    const shown = (count: number) =>
      drawerLines({ ...STATE, notices: Array.from({ length: count }, (_, n) => `n${n}`) }, plainLook(80));
    expect(shown(5)).toEqual(['⚠ n0', '⚠ n1', '⚠ n2', '⚠ n3', '⚠ n4']);
    expect(shown(6).at(-1)).toBe('  … 2 more lines (ctrl+o)');
  });

  it('keeps the lines of a notice', () => {
    const state = { ...STATE, notices: ['Failed to load:\n  tools: Expected array\n  To fix it: run x'] };
    expect(drawerLines(state, plainLook(80))).toEqual([
      '⚠ Failed to load:',
      '    tools: Expected array',
      '    To fix it: run x',
    ]);
  });

  it('never shows control characters', () => {
    const hostile = '\x1b[31mred\x1b]0;title\x07\u202e';
    const state = {
      ...STATE,
      queue: [hostile],
      notices: [hostile],
      toast: { text: hostile, tone: 'info' as const },
    };
    expect(drawerLines(state, plainLook(80)).join('')).not.toMatch(/[\x1b\x07\u202e]/);
  });
});

it.each([
  [900, '0s'],
  [59_999, '59s'],
  [65_000, '1m 5s'],
  [3_720_000, '1h 2m'],
])('%i ms are shown as %s', (ms, text) => expect(duration(ms)).toBe(text));

it('text from outside never controls the terminal', () => {
  const evil = 'x\x1b]52;c;aGk=\x07\x1b[2J\ny';
  const hostile = { cwd: `/p/${evil}`, model: evil, branch: evil, sandbox: evil, contextFileName: evil };
  const facts = { ...STATE.facts, ...hostile, account: evil };
  const settings: Parameters<typeof footerLines>[2] = {
    footer: { items: ['workspace', 'git-branch', 'sandbox', 'model-name', 'auth'] },
  };
  for (const thought of [undefined, evil]) {
    const busy = { ...STATE, facts, streaming: thought ? 'responding' : 'idle', thought } as UiState;
    const retry = thought && { what: thought, count: '2/3', endsAt: 0, details: thought };
    const retrying = { ...busy, retry } as UiState;
    for (const state of [busy, retrying]) {
      const lines = [
        ...footerLines(state, plainLook(400), settings),
        ...statusLines(state, plainLook(200), STATUS),
      ];
      expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f]/);
    }
  }
});

/** The footer: folder, model, context left and other facts. */
import { homedir, hostname } from 'node:os';
import type { Settings } from '@gemini-cli/core';
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { cleanLine } from '../text/clean.js';
import { fitSpans, paintSpans, type Span, span, spansWidth } from '../text/spans.js';
import { takeWidth, textWidth } from '../text/width.js';
import type { Style } from '../themes/style.js';

type FooterSettings = Pick<NonNullable<Settings['ui']>, 'footer' | 'showMemoryUsage' | 'errorVerbosity'>;

interface Item {
  id: string;
  header: string;
  value: string;
  style: Style;
}

export const DEFAULT_ITEMS = ['workspace', 'git-branch', 'sandbox', 'model-name', 'context-used', 'quota'];
/** What a user misses least in a narrow window; after these, items go from the right. */
const DROPPED_FIRST = ['git-branch', 'workspace'];
const GAP = 3;

export function footerLines(state: UiState, look: Look, ui: FooterSettings = {}): string[] {
  const ids = itemIds(ui);
  const items = ids.flatMap((id) => itemOf(id, state, look) ?? []);
  const errors = errorSpans(state, look, ui);
  const width = look.width - spansWidth(errors);
  const fitted = fit(items, width - 1, vimWidth(state));
  const vim = state.vimMode ? [span(`[${state.vimMode}] `, { color: look.theme.text.accent })] : [];
  const end = fitted.length < items.length ? [span(' …', { color: look.theme.text.secondary })] : [];
  const line = (spans: Span[], last: Span[] = []) => {
    const kept = fitSpans([span(' '), ...spans], look.width - spansWidth(last));
    const gap = last.length > 0 ? ' '.repeat(look.width - spansWidth(kept) - spansWidth(last)) : '';
    return paintSpans([...kept, span(gap), ...last], look.paint);
  };
  if (ui.footer?.showLabels === false || look.screenReader) {
    const values = fitted.flatMap((item, index) => [
      ...(index > 0 ? [span(' · ', { color: look.theme.text.secondary })] : []),
      span(item.value, item.style),
    ]);
    return fitted.length === 0 ? [] : [line([...vim, ...values, ...end], errors)];
  }
  const columns = fitted.map((item) => Math.max(textWidth(item.header), textWidth(item.value)));
  const spread = spreadGap(columns, width - 2 - vimWidth(state));
  const cells = (pick: (item: Item) => Span) =>
    fitted.flatMap((item, index) => {
      const cell = pick(item);
      const isLast = index === fitted.length - 1;
      const pad = isLast ? 0 : (columns[index] ?? 0) - textWidth(cell.text) + spread;
      return [cell, span(' '.repeat(Math.max(0, pad)))];
    });
  const indent = state.vimMode ? [span(' '.repeat(vimWidth(state)))] : [];
  return [
    line([...indent, ...cells(({ header }) => span(header, { color: look.theme.ui.comment }))]),
    line([...vim, ...cells(({ value, style }) => span(value, style)), ...end], errors),
  ];
}

/** `2 errors (F12 for details)`. */
function errorSpans({ errorCount, facts }: UiState, { theme, width }: Look, ui: FooterSettings): Span[] {
  if (errorCount === 0 || (ui.errorVerbosity !== 'full' && !facts.isDebug)) return [];
  const count = `${errorCount} ${errorCount === 1 ? 'error' : 'errors'}`;
  const text = [` ${count} (F12 for details)`, ` ${count} (F12)`].find((form) => form.length <= width / 3);
  return text ? [span(text, { color: theme.status.error })] : [];
}

function itemIds({ footer = {}, showMemoryUsage }: FooterSettings): readonly string[] {
  const { items, hideCWD, hideSandboxStatus, hideModelInfo, hideContextPercentage } = footer;
  const hidden = new Set<string>();
  if (hideCWD) hidden.add('workspace');
  if (hideSandboxStatus) hidden.add('sandbox');
  if (hideModelInfo) hidden.add('model-name');
  if (hideContextPercentage) hidden.add('context-used');
  const shown = items ?? DEFAULT_ITEMS.filter((id) => !hidden.has(id));
  return showMemoryUsage ? [...new Set([...shown, 'memory-usage'])] : shown;
}

function vimWidth(state: UiState): number {
  return state.vimMode ? state.vimMode.length + 3 : 0;
}

/** Shortens the folder first, then drops items until the rest fits. */
function fit(items: Item[], width: number, reserved: number): Item[] {
  const widthOf = (list: Item[]) =>
    list.reduce(
      (sum, { header, value }) => sum + Math.max(textWidth(header), textWidth(value)) + GAP,
      reserved,
    );
  let fitted = items;
  if (widthOf(fitted) > width)
    fitted = fitted.map((item) => (item.id === 'workspace' ? shortened(item) : item));
  for (const id of DROPPED_FIRST)
    if (fitted.length > 1 && widthOf(fitted) > width) fitted = fitted.filter((item) => item.id !== id);
  while (fitted.length > 1 && widthOf(fitted) > width) fitted = fitted.slice(0, -1);
  return fitted;
}

const SHORT_PATH = 24;

function shortened(item: Item): Item {
  const width = textWidth(item.value);
  if (width <= SHORT_PATH) return item;
  const tail = [...item.value].slice(-(SHORT_PATH - 1)).join('');
  return { ...item, value: `…${tail}` };
}

function spreadGap(columns: readonly number[], width: number): number {
  const used = columns.reduce((sum, column) => sum + column, 0);
  const gaps = Math.max(1, columns.length - 1);
  return Math.max(GAP, Math.min(12, Math.floor((width - used) / gaps)));
}

function itemOf(id: string, state: UiState, { theme }: Look): Item | undefined {
  const { facts, tokens, linesChanged } = state;
  const { contextWindow, quotaUsedPercent } = facts;
  const plain: Style = { color: theme.text.primary };
  const item = (header: string, value: string | undefined, style = plain): Item | undefined =>
    value ? { id, header, value: takeWidth(cleanLine(value), 200).head, style } : undefined;
  switch (id) {
    case 'workspace':
      return item('workspace (/directory)', homeRelative(facts.cwd));
    case 'git-branch':
      return item('branch', facts.branch);
    case 'sandbox':
      return item('sandbox', facts.trusted ? facts.sandbox : 'untrusted', {
        color: facts.trusted && facts.sandbox !== 'no sandbox' ? theme.status.success : theme.status.warning,
      });
    case 'model-name':
      return item('/model', facts.model, { color: theme.text.accent });
    case 'context-used': {
      if (contextWindow === undefined || tokens.prompt === 0) return undefined;
      const percent = Math.min(100, Math.round((tokens.prompt / contextWindow) * 100));
      const color =
        percent >= 90 ? theme.status.error : percent >= 45 ? theme.status.warning : theme.text.primary;
      return item('context', `${percent}% used`, { color });
    }
    case 'quota':
      if (quotaUsedPercent === undefined) return undefined;
      return item(
        'quota',
        quotaUsedPercent >= 100 ? 'limit reached' : `${Math.round(quotaUsedPercent)}% used`,
      );
    case 'memory-usage':
      return item('memory', `${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MB`);
    case 'session-id':
      return item('session', facts.sessionId.slice(0, 8));
    case 'hostname':
      return item('machine', hostname());
    case 'auth':
      return item('/auth', facts.account ?? facts.auth);
    case 'code-changes':
      return linesChanged.added + linesChanged.removed === 0
        ? undefined
        : item('diff', `+${linesChanged.added} -${linesChanged.removed}`);
    case 'token-count':
      return tokens.total === 0 ? undefined : item('tokens', String(tokens.total));
    default:
      return undefined;
  }
}

function homeRelative(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** The state of the session browser, and the keys of its list. */
import type { SessionInfo } from '@gemini-cli/core';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import { letterOf } from '../../keys/key-scope.js';
import { type ListOrder, PERIODS, type SessionPreview, SORT_KEYS } from './session-order.js';

export type Mode = 'list' | 'search' | 'rename' | 'export' | 'delete' | 'preview';

export interface BrowserState extends ListOrder {
  index: number;
  mode: Mode;
  /** The search text; empty: all sessions are listed. */
  query: string;
  /** The search result; undefined: all sessions are listed. */
  found: readonly SessionInfo[] | undefined;
  /** Details of the open session. */
  preview: SessionPreview;
  /** The result of the last action, or why it failed. */
  message: string;
}

export const FIRST_STATE: BrowserState = {
  sort: 'date',
  isReversed: false,
  period: 'all',
  index: 0,
  mode: 'list',
  query: '',
  found: undefined,
  preview: { messages: [] },
  message: '',
};

export type ListAction = 'resume' | 'delete' | 'rename' | 'export' | 'preview' | 'search' | 'close';

/** A new state, or an action on the selected session; undefined: the key is not used. */
export function listKey(
  state: BrowserState,
  key: Key,
  { count, page }: { count: number; page: number },
): BrowserState | ListAction | undefined {
  const at = (index: number): BrowserState => ({
    ...state,
    index: Math.max(0, Math.min(count - 1, index)),
    message: '',
  });
  const half = Math.max(1, Math.floor(page / 2));
  if (isCommand(key, 'basic.cancel')) return 'close';
  if (isCommand(key, 'basic.confirm')) return 'resume';
  if (isCommand(key, 'nav.dialog.up')) return at(state.index - 1);
  if (isCommand(key, 'nav.dialog.down')) return at(state.index + 1);
  if (isCommand(key, 'scroll.pageUp')) return at(state.index - page);
  if (isCommand(key, 'scroll.pageDown')) return at(state.index + page);
  if (isCommand(key, 'cursor.right')) return 'preview';
  switch (letterOf(key)) {
    case 'u':
      return at(state.index - half);
    case 'd':
      return at(state.index + half);
    case 'g':
      return at(0);
    case 'G':
      return at(count - 1);
    case 's':
      return { ...at(0), sort: next(SORT_KEYS, state.sort) };
    case 'r':
      return { ...at(0), isReversed: !state.isReversed };
    case 'f':
      return { ...at(0), period: next(PERIODS, state.period) };
    case '/':
      return 'search';
    case 'x':
      return 'delete';
    case 'n':
      return 'rename';
    case 'e':
      return 'export';
    case ' ':
    case 'p':
      return 'preview';
    case 'q':
      return 'close';
    default:
      return undefined;
  }
}

function next<T>(list: readonly T[], current: T): T {
  return list[(list.indexOf(current) + 1) % list.length] ?? current;
}

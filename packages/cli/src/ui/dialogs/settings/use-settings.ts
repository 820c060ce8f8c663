/** The steps of the settings dialog: where the keyboard is, and what a key does there. */
import { messageOf } from '@gemini-cli/core';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import { letterOf } from '../../primitives/use-dialog-input.js';
import { useField } from '../../primitives/use-field.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import type { DialogServices } from '../dialog.js';
import {
  currentValue,
  type DialogSetting,
  matching,
  nextValue,
  parseTyped,
  SCOPES,
  type Scope,
  textOf,
} from './values.js';

type Focus = 'list' | 'search' | 'scope' | 'edit';
const FOCUS_ORDER: readonly Focus[] = ['list', 'search', 'scope'];
const PAGE = 8;

interface State {
  entries: readonly DialogSetting[];
  focus: Focus;
  scope: Scope;
  index: number;
  message: string;
  needsRestart: boolean;
}

export interface SettingsOptions {
  services: Pick<DialogServices, 'settings' | 'changeSetting' | 'restartEngine'>;
  entries: readonly DialogSetting[];
  close(): void;
}

export function useSettings({ services, entries, close }: SettingsOptions) {
  const { settings } = services;
  const state = useLiveState<State>({
    entries,
    focus: 'list',
    scope: 'user',
    index: 0,
    message: '',
    needsRestart: false,
  });
  const change = (part: Partial<State>) => state.set({ ...state.now, ...part });
  const search = useField('', () => change({ index: 0 }));
  const edit = useField();
  const found = () => matching(state.now.entries, search.text);
  const indexIn = (list: readonly DialogSetting[]) => Math.min(state.now.index, Math.max(0, list.length - 1));
  const chosen = () => found()[indexIn(found())];

  const write = async (entry: DialogSetting, value: unknown) => {
    const { scope } = state.now;
    if (scope === 'system')
      return change({ message: 'The system settings are the administrator’s; they cannot be changed here.' });
    if (scope === 'workspace' && entry.isUserOnly)
      return change({ message: 'This can only be set for the user.' });
    try {
      await services.changeSetting(scope, entry.key, value);
      change({ message: '', needsRestart: state.now.needsRestart || entry.needsRestart, focus: 'list' });
    } catch (error) {
      change({ message: messageOf(error) });
    }
  };
  const activate = (entry: DialogSetting) => {
    const current = currentValue(entry, settings, state.now.scope);
    const next = nextValue(entry, current);
    if (next !== undefined) return void write(entry, next);
    if (state.now.scope === 'system') return void write(entry, current);
    edit.set(textOf(current));
    change({ focus: 'edit', message: '' });
  };
  const move = (step: number) => {
    const count = found().length;
    if (count === 0) return;
    const index = indexIn(found()) + step;
    change({
      index: Math.abs(step) === 1 ? (index + count) % count : Math.max(0, Math.min(count - 1, index)),
    });
  };
  const turn = (step: number) => {
    const at = FOCUS_ORDER.indexOf(state.now.focus);
    change({
      focus: FOCUS_ORDER[(at + step + FOCUS_ORDER.length) % FOCUS_ORDER.length] ?? 'list',
      message: '',
    });
  };

  const editKey = (key: Key): boolean => {
    const entry = chosen();
    if (isCommand(key, 'basic.cancel') || !entry) change({ focus: 'list', message: '' });
    else if (isCommand(key, 'basic.confirm')) {
      const parsed = parseTyped(entry, edit.text);
      if ('problem' in parsed) change({ message: parsed.problem });
      else void write(entry, parsed.value);
    } else return edit.handle(key);
    return true;
  };
  const searchKey = (key: Key): boolean => {
    if (isCommand(key, 'basic.confirm') || isCommand(key, 'nav.down')) change({ focus: 'list' });
    else return search.handle(key);
    return true;
  };
  const scopeKey = (key: Key): boolean => {
    const isBack = isCommand(key, 'cursor.left') || isCommand(key, 'nav.dialog.up');
    const isOn =
      isCommand(key, 'cursor.right') || isCommand(key, 'nav.dialog.down') || isCommand(key, 'basic.confirm');
    if (!isBack && !isOn) return false;
    const at = SCOPES.findIndex(({ scope }) => scope === state.now.scope);
    change({
      scope: SCOPES[(at + (isBack ? -1 : 1) + SCOPES.length) % SCOPES.length]?.scope ?? 'user',
      message: '',
    });
    return true;
  };
  const listKey = (key: Key): boolean => {
    const entry = chosen();
    if (isCommand(key, 'nav.dialog.up')) move(-1);
    else if (isCommand(key, 'nav.dialog.down')) move(1);
    else if (isCommand(key, 'scroll.pageUp')) move(-PAGE);
    else if (isCommand(key, 'scroll.pageDown')) move(PAGE);
    else if (isCommand(key, 'basic.confirm') && entry) activate(entry);
    else if (isCommand(key, 'app.clearScreen') && entry) void write(entry, undefined);
    else if (state.now.needsRestart && isCommand(key, 'app.restart')) void restart();
    else if (letterOf(key) === '/') change({ focus: 'search' });
    else return false;
    return true;
  };
  const restart = async () => {
    change({ needsRestart: false, message: '' });
    const problem = await services.restartEngine();
    if (problem !== undefined) change({ message: problem });
  };

  const { focus, scope, message, needsRestart } = state.now;
  return {
    focus,
    scope,
    message,
    needsRestart,
    found: found(),
    index: indexIn(found()),
    search,
    edit,
    setEntries: (entries: readonly DialogSetting[]) => change({ entries }),
    paste: (text: string) => {
      if (state.now.focus === 'edit') edit.paste(text);
      else if (state.now.focus === 'search') search.paste(text);
    },
    handle(key: Key): boolean {
      if (state.now.focus === 'edit') return editKey(key);
      if (isCommand(key, 'basic.cancel')) close();
      else if (isCommand(key, 'nav.dialog.next')) turn(1);
      else if (isCommand(key, 'nav.dialog.previous')) turn(-1);
      else if (state.now.focus === 'search') return searchKey(key);
      else return state.now.focus === 'scope' ? scopeKey(key) : listKey(key);
      return true;
    },
  };
}

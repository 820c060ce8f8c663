/** The state of the settings dialog: focus, search, selection, and saving. */
import { useState } from 'react';
import { useAction } from '../../components/use-action.js';
import type { DialogServices } from '../dialog.js';
import { currentValue, type DialogSetting, matching, nextValue, parseTyped, type Scope } from './values.js';

export type Focus = 'list' | 'search' | 'scope' | 'edit';
const FOCUS_ORDER: readonly Focus[] = ['list', 'search', 'scope'];

export type SettingsServices = Pick<DialogServices, 'settings' | 'changeSetting' | 'restartEngine'>;

export function useSettings(services: SettingsServices, entries: readonly DialogSetting[]) {
  const { settings, changeSetting, restartEngine } = services;
  const [focus, setFocus] = useState<Focus>('list');
  const [scope, setScope] = useState<Scope>('user');
  const [query, setQuery] = useState('');
  /** The text that the search field begins with; a new one makes a new field. */
  const [begun, setBegun] = useState({ times: 0, text: '' });
  const [marked, setMarked] = useState(0);
  const [needsRestart, setNeedsRestart] = useState(false);
  const { problem, setProblem, run } = useAction();
  const found = matching(entries, query);
  const index = Math.min(marked, Math.max(0, found.length - 1));

  const focusOn = (next: Focus) => {
    setFocus(next);
    setProblem('');
  };
  const write = (entry: DialogSetting, value: unknown) => {
    if (scope === 'system')
      setProblem('The system settings are the administrator’s; they cannot be changed here.');
    else if (scope === 'workspace' && entry.isUserOnly) setProblem('This can only be set for the user.');
    else
      run(async () => {
        await changeSetting(scope, entry.key, value);
        setNeedsRestart(needsRestart || entry.needsRestart);
        setFocus('list');
      });
  };
  return {
    focus,
    scope,
    needsRestart,
    problem,
    found,
    begun,
    index,
    chosen: found[index],
    focusOn,
    moveTo: setMarked,
    write,
    turn(step: 1 | -1): void {
      const at = FOCUS_ORDER.indexOf(focus) + step;
      focusOn(FOCUS_ORDER.at(at % FOCUS_ORDER.length) ?? 'list');
    },
    search(text: string): void {
      setQuery(text);
      setMarked(0);
    },
    /** Goes to the search with this text in it; without any, back to the list of all. */
    beginSearch(text: string): void {
      setBegun({ times: begun.times + 1, text });
      setQuery(text);
      setMarked(0);
      focusOn(text === '' ? 'list' : 'search');
    },
    changeScope(next: Scope): void {
      setScope(next);
      setProblem('');
    },
    /** Enter: the next value, or a field to type one. */
    activate(entry: DialogSetting): void {
      const next = nextValue(entry, currentValue(entry, settings, scope));
      if (next === undefined && scope !== 'system') focusOn('edit');
      else write(entry, next);
    },
    writeTyped(entry: DialogSetting, text: string): void {
      const parsed = parseTyped(entry, text);
      if ('problem' in parsed) setProblem(parsed.problem);
      else write(entry, parsed.value);
    },
    restart: () =>
      run(async () => {
        setNeedsRestart(false);
        const failure = await restartEngine();
        if (failure !== undefined) throw new Error(failure);
      }),
  };
}

/** The composer of this session, with everything around it that it may ask. */
import type { Completer } from '../../../completion/completer.js';
import { type ComposerStore, createComposer } from '../../composer/composer-store.js';
import type { App } from '../app.js';
import type { Submitter } from '../commands/submit.js';
import type { TypedHistory } from '../conversation/typed-history.js';
import type { Outside } from '../terminal/clipboard.js';

export interface ComposerParts {
  app: App;
  box: 'tint' | 'border';
  completer: Completer;
  submitter: () => Submitter;
  typed: TypedHistory;
  outside: Outside;
  onExpandSuggestion: (isExpanded: boolean) => void;
}

export function makeComposer(parts: ComposerParts): ComposerStore {
  const { app, submitter, typed, outside } = parts;
  const { store } = app;
  const vim = app.settings.general?.vimMode ?? false;
  if (vim) store.dispatch({ type: 'vim_mode', mode: 'INSERT' });
  return createComposer({
    box: parts.box,
    vim,
    completer: parts.completer,
    isBusy: () => app.conversation.isBusy,
    onSubmit: (text, how) => submitter().submit(text, how),
    onQueue: (text) => submitter().submit(text),
    takeQueue: () => submitter().takeQueue(),
    history: typed.prompts.list,
    shellHistory: typed.shellCommands.list,
    onExpandSuggestion: parts.onExpandSuggestion,
    onPasteRequest: () => void outside.paste(),
    preparePaste: (text) => outside.prepare(text),
    onExternalEditor: (text) => outside.edit(text),
    onShellMode: (on) => store.dispatch({ type: 'switched', what: 'isShellMode', to: on }),
    onVimMode: (mode) => store.dispatch({ type: 'vim_mode', mode: vimModeOf(mode) }),
    onEscapeArmed: (second) =>
      app.toasts.show(`Press Esc again to ${second === 'clear' ? 'clear prompt' : 'rewind'}.`, 'warning'),
    onRewind: () => app.openDialog('rewind'),
    shortcuts: {
      isOpen: () => store.getState().showShortcuts,
      open: () => store.dispatch({ type: 'switched', what: 'showShortcuts', to: true }),
      close: () => store.dispatch({ type: 'switched', what: 'showShortcuts', to: false }),
    },
    onHint: (text) => app.toasts.show(text),
  });
}

export function setVim(app: App, composer: ComposerStore, on: boolean): void {
  if (on === (composer.getState().vim !== undefined)) return;
  composer.dispatch({ type: 'vimMode', on });
  app.store.dispatch({ type: 'vim_mode', mode: on ? 'INSERT' : undefined });
}

/** `/vim`: for this session and the next ones. */
export async function toggleVim(app: App, composer: ComposerStore): Promise<boolean> {
  const isOn = composer.getState().vim === undefined;
  setVim(app, composer, isOn);
  await app.engine.folder.settings.setValue('user', 'general.vimMode', isOn);
  return isOn;
}

/** What was sent too early comes back; what was typed meanwhile stays below it. */
export function giveBack(composer: ComposerStore, text: string): void {
  const parts = [text, composer.text()].filter((part) => part.trim() !== '');
  composer.setText(parts.join('\n\n'));
}

function vimModeOf(mode: string): 'NORMAL' | 'INSERT' | 'VISUAL' | undefined {
  return mode === 'NORMAL' || mode === 'INSERT' ? mode : mode.startsWith('VISUAL') ? 'VISUAL' : undefined;
}

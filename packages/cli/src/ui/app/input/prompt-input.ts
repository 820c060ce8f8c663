/** The input box of this session: the composer with its suggestions, its paste and its editor. */
import type { Late } from '@gemini-cli/core';
import { agentSuggestions } from '../../../completion/agents.js';
import { type Completer, createCompleter } from '../../../completion/completer.js';
import { resourceSuggestions } from '../../../completion/resources.js';
import { type SessionSources, sessionSources } from '../../../completion/sources.js';
import { type ComposerStore, createComposer } from '../../composer/composer-store.js';
import { type InputArea, inputArea } from '../../composer/input-area.js';
import type { Look } from '../../look.js';
import type { Submitter } from '../commands/submit.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from '../conversation/engine-host.js';
import type { TypedHistory } from '../conversation/typed-history.js';
import type { Dialogs } from '../dialogs/dialogs.js';
import type { Appearance } from '../screen/appearance.js';
import type { Clipboard } from '../terminal/clipboard.js';
import type { UserEditor } from '../terminal/user-editor.js';

export interface PromptInputParts {
  context: AppContext;
  engine: EngineHost;
  dialogs: Dialogs;
  appearance: Appearance;
  clipboard: Clipboard;
  editor: UserEditor;
  typed: TypedHistory;
  /** Made later: commands may write into the input. */
  submitter: Late<Submitter>;
}

export class PromptInput {
  readonly composer: ComposerStore;
  private readonly completer: Completer;
  private readonly files: SessionSources;
  private isSuggestionExpanded = false;

  constructor(private readonly parts: PromptInputParts) {
    const { context, engine, submitter } = parts;
    this.files = sessionSources({
      config: () => engine.config,
      settings: () => context.folder.settings,
      commands: () => submitter.value.commands.getCommands(),
      commandContext: () => submitter.value.commands.context(),
      isShellMode: () => context.store.getState().isShellMode,
      cwd: context.folder.cwd,
      env: context.env,
      extras: () => [...agentSuggestions(engine.config), ...resourceSuggestions(engine.config)],
    });
    this.completer = createCompleter(this.files.sources);
    this.composer = this.makeComposer();
  }

  /** Something that is drawn has changed. */
  subscribe(listener: () => void): void {
    this.composer.subscribe(listener);
    this.completer.subscribe(listener);
  }

  area(look: Look, maxRows: number): InputArea {
    const { context, appearance } = this.parts;
    const { composer, completer, isSuggestionExpanded } = this;
    const state = context.store.getState();
    const suggestionsAbove = appearance.fullScreen;
    return inputArea({ state, composer, completer, isSuggestionExpanded, suggestionsAbove }, look, maxRows);
  }

  setVim(on: boolean): void {
    if (on === (this.composer.getState().vim !== undefined)) return;
    this.composer.dispatch({ type: 'vimMode', on });
    this.parts.context.store.dispatch({ type: 'vim_mode', mode: on ? 'INSERT' : undefined });
  }

  /** `/vim`: for this session and the next ones. */
  async toggleVim(): Promise<boolean> {
    const isOn = this.composer.getState().vim === undefined;
    this.setVim(isOn);
    await this.parts.context.folder.settings.setValue('user', 'general.vimMode', isOn);
    return isOn;
  }

  /** Puts a text that was not sent back into the input, above what was typed since. */
  readonly returnText = (text: string): void => returnToInput(this.composer, text);

  /** Lists the workspace's files before the user types `@`. */
  warmUp(): void {
    this.files.warmUp();
  }

  private makeComposer(): ComposerStore {
    const { context, dialogs, appearance, clipboard, editor, typed, submitter } = this.parts;
    const { store, toasts } = context;
    const vim = context.settings.general?.vimMode ?? false;
    if (vim) store.dispatch({ type: 'vim_mode', mode: 'INSERT' });
    return createComposer({
      box: appearance.box,
      vim,
      completer: this.completer,
      isBusy: () => submitter.value.isBusy,
      onSubmit: (text, how) => submitter.value.submit(text, how),
      onQueue: (text, how) => submitter.value.submit(text, how),
      takeQueue: () => submitter.value.takeQueue(),
      history: typed.prompts.list,
      shellHistory: typed.shellCommands.list,
      onExpandSuggestion: (isExpanded) => {
        this.isSuggestionExpanded = isExpanded;
      },
      onPasteRequest: () => void clipboard.pasteInto(this.composer),
      preparePaste: (text) => clipboard.prepare(text),
      onExternalEditor: (text) => editor.editPrompt(text),
      onShellMode: (on) => store.dispatch({ type: 'switched', what: 'isShellMode', to: on }),
      onVimMode: (mode) => store.dispatch({ type: 'vim_mode', mode: vimModeOf(mode) }),
      onEscapeArmed: (second) =>
        toasts.show(`Press Esc again to ${second === 'clear' ? 'clear prompt' : 'rewind'}.`, 'warning'),
      onRewind: () => dialogs.open('rewind'),
      shortcuts: {
        isOpen: () => store.getState().showShortcuts,
        open: () => store.dispatch({ type: 'switched', what: 'showShortcuts', to: true }),
        close: () => store.dispatch({ type: 'switched', what: 'showShortcuts', to: false }),
      },
      onHint: (text) => toasts.show(text),
    });
  }
}

export function returnToInput(composer: ComposerStore, text: string): void {
  const parts = [text, composer.text()].filter((part) => part.trim() !== '');
  composer.setText(parts.join('\n\n'));
}

function vimModeOf(mode: string): 'NORMAL' | 'INSERT' | 'VISUAL' | undefined {
  return mode === 'NORMAL' || mode === 'INSERT' ? mode : mode.startsWith('VISUAL') ? 'VISUAL' : undefined;
}

/** Handles keys in the input box. Order: shortcuts, search, suggestions, Esc, vim, submit, commands, text. */
import { commandOf, isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import type { ComposerOptions } from './composer-options.js';
import { type ComposerAction, type ComposerState, columnsOf } from './composer-state.js';
import { EDIT_COMMANDS, isFirstRow, isLastRow } from './edit-commands.js';
import { splitGraphemes } from './graphemes.js';
import { foundText } from './history-search.js';
import { fullTextOf, isEmptyText, lineAt, offsetOf, textOf } from './text-buffer.js';
import { vimEscape, vimKey } from './vim.js';

/** The toast that offers a second Esc is shown for this long. */
const ESCAPE_AGAIN_MS = 3_000;
/** A terminal without bracketed paste sends the line ends of a paste as Enter, without a pause. */
const PASTE_TAIL_MS = 40;

export class ComposerKeys {
  private readonly now: () => number;
  private escapeAt = Number.NEGATIVE_INFINITY;
  private pasteAt = Number.NEGATIVE_INFINITY;
  private isEditing = false;

  constructor(
    private readonly options: ComposerOptions,
    private readonly state: () => ComposerState,
    private readonly dispatch: (action: ComposerAction) => void,
  ) {
    this.now = options.now ?? (() => performance.now());
  }

  /** An Enter that follows right after a paste may belong to the paste. */
  pasted(): void {
    this.pasteAt = this.now();
  }

  handle(key: Key): boolean {
    // While an external editor has the text, keys typed here would be lost; only quitting is possible.
    if (this.isEditing) return !isCommand(key, 'basic.quit');
    const wasArmed = this.now() - this.escapeAt <= ESCAPE_AGAIN_MS;
    this.escapeAt = Number.NEGATIVE_INFINITY;
    return (
      this.handleShortcuts(key) ||
      this.handleSearch(key) ||
      this.handleSuggestions(key) ||
      this.handleEscape(key, wasArmed) ||
      this.handleVim(key) ||
      this.handleSubmit(key) ||
      this.handleCommand(key) ||
      this.handleText(key)
    );
  }

  private isEmpty(): boolean {
    return isEmptyText(this.state().buffer);
  }

  /** Any key closes the panel; Esc and Backspace do nothing else. */
  private handleShortcuts(key: Key): boolean {
    const { shortcuts } = this.options;
    if (!shortcuts) return false;
    if (shortcuts.isOpen()) {
      shortcuts.close();
      return isCommand(key, 'basic.cancel') || isCommand(key, 'edit.deleteLeft');
    }
    const { search } = this.state();
    if (key.text !== '?' || !this.isEmpty() || search) return false;
    shortcuts.open();
    return true;
  }

  private handleSearch(key: Key): boolean {
    const { search, isShellMode } = this.state();
    if (!search) {
      if (!isCommand(key, 'history.search.start')) return false;
      const { history, shellHistory } = this.options;
      const entries = (isShellMode ? shellHistory?.() : history?.()) ?? [];
      this.dispatch({ type: 'searchStart', entries });
      return true;
    }
    if (isCommand(key, 'basic.cancel') || isCommand(key, 'basic.quit'))
      this.dispatch({ type: 'searchCancel' });
    else if (isCommand(key, 'history.search.start') || isCommand(key, 'suggest.focusNext'))
      this.dispatch({ type: 'searchMove', step: 1 });
    else if (isCommand(key, 'suggest.focusPrevious')) this.dispatch({ type: 'searchMove', step: -1 });
    else if (isCommand(key, 'history.search.accept')) this.dispatch({ type: 'searchAccept' });
    else if (isCommand(key, 'history.search.submit')) {
      const isFound = foundText(search) !== undefined;
      this.dispatch({ type: 'searchAccept' });
      if (isFound) this.submit();
    } else if (isCommand(key, 'input.newline')) return true;
    else {
      const command = commandOf(key, EDIT_COMMANDS);
      if (command) this.dispatch({ type: 'edit', command });
      else if (key.text !== '') this.dispatch({ type: 'insert', text: key.text });
      else return false;
    }
    return true;
  }

  private handleSuggestions(key: Key): boolean {
    const { completer, onExpandSuggestion } = this.options;
    const view = completer?.getState();
    if (!completer || !view || (view.items.length === 0 && !view.isLoading)) return false;
    if (isCommand(key, 'basic.cancel')) completer.close();
    else if (view.items.length === 0) return false;
    else if (isCommand(key, 'suggest.focusPrevious')) completer.move(-1);
    else if (isCommand(key, 'suggest.focusNext')) completer.move(1);
    else if (isCommand(key, 'suggest.accept')) {
      const accepted = completer.accept(isCommand(key, 'input.submit') ? 'enter' : 'tab');
      if (!accepted) return false;
      this.dispatch({ type: 'complete', text: accepted.text, cursor: accepted.cursor });
      if (accepted.submit) this.submit();
    } else if (onExpandSuggestion && this.isAtEnd() && isCommand(key, 'suggest.expand'))
      onExpandSuggestion(true);
    else if (onExpandSuggestion && this.isAtEnd() && isCommand(key, 'suggest.collapse')) {
      onExpandSuggestion(false);
      return false;
    } else return false;
    return true;
  }

  private isAtEnd(): boolean {
    const { buffer } = this.state();
    return buffer.row === buffer.lines.length - 1 && buffer.column === lineAt(buffer).length;
  }

  private handleEscape(key: Key, wasArmed: boolean): boolean {
    if (!isCommand(key, 'basic.cancel')) return false;
    const { vim, buffer, isShellMode } = this.state();
    const left = vim && vimEscape(vim, buffer);
    if (left) {
      this.dispatch({ type: 'put', ...left });
      return true;
    }
    if (this.options.isBusy?.()) return false;
    if (isShellMode) {
      this.dispatch({ type: 'shellMode', on: false });
      return true;
    }
    const isEmpty = this.isEmpty();
    if (!wasArmed) {
      this.escapeAt = this.now();
      this.options.onEscapeArmed?.(isEmpty ? 'rewind' : 'clear');
    } else if (isEmpty) this.options.onRewind?.();
    else this.dispatch({ type: 'clear', keepsMode: true });
    return true;
  }

  /** In NORMAL and VISUAL, text keys are vim commands; other editing keys do nothing. */
  private handleVim(key: Key): boolean {
    const { vim } = this.state();
    if (!vim || vim.mode === 'INSERT') return false;
    if (key.text !== '') {
      for (const one of splitGraphemes(key.text)) this.typeInVim(one);
      return true;
    }
    const isForApp = this.isEmpty() && isCommand(key, 'basic.exit');
    const command = commandOf(key, EDIT_COMMANDS);
    return (
      !isForApp &&
      (command?.startsWith('edit.delete') === true || command === 'edit.yank' || command === 'input.newline')
    );
  }

  private typeInVim(text: string): void {
    const { vim, buffer } = this.state();
    if (!vim) return;
    if (vim.mode === 'INSERT') this.dispatch({ type: 'insert', text });
    else this.dispatch({ type: 'put', ...vimKey(vim, buffer, text) });
  }

  private handleSubmit(key: Key): boolean {
    const { buffer } = this.state();
    if (isCommand(key, 'input.submit')) {
      if (lineAt(buffer).charAt(buffer.column - 1) === '\\' && buffer.column > 0) {
        this.dispatch({ type: 'edit', command: 'edit.deleteLeft' });
        this.dispatch({ type: 'edit', command: 'input.newline' });
      } else if (this.isPasteTail()) this.dispatch({ type: 'edit', command: 'input.newline' });
      else this.submit();
      return true;
    }
    if (!isCommand(key, 'input.queueMessage')) return false;
    const ghost = this.isAtEnd() ? this.options.ghost?.() : undefined;
    if (ghost && !this.isEmpty()) {
      this.dispatch({ type: 'insert', text: ghost });
      return true;
    }
    const { completer } = this.options;
    if (completer && this.state().isShellMode && !this.isEmpty()) {
      completer.update(textOf(buffer), offsetOf(buffer, buffer), { asked: true });
      return true;
    }
    if (!this.options.isBusy?.() || !this.options.onQueue) return false;
    const text = fullTextOf(buffer);
    if (text.trim() === '') return false;
    if (this.options.onQueue(text, { isShellMode: false, pasted: buffer.folded.hidden }))
      this.dispatch({ type: 'clear' });
    return true;
  }

  private isPasteTail(): boolean {
    return this.options.hasReliablePaste?.() === false && this.now() - this.pasteAt < PASTE_TAIL_MS;
  }

  private submit(): void {
    const { buffer, isShellMode } = this.state();
    const text = fullTextOf(buffer);
    if (text.trim() === '') return;
    // Cleared first, so that text the app puts into the input during submit is kept.
    this.dispatch({ type: 'clear' });
    const how = { isShellMode, pasted: buffer.folded.hidden };
    if (!this.options.onSubmit(text, how)) this.dispatch({ type: 'put', buffer });
  }

  private handleCommand(key: Key): boolean {
    const { options } = this;
    if (isCommand(key, 'edit.clear')) {
      if (this.isEmpty()) return false;
      this.dispatch({ type: 'clear' });
      return true;
    }
    if (this.isEmpty() && isCommand(key, 'basic.exit')) return false;
    if (isCommand(key, 'app.expandPaste') && this.toggleFold()) return true;
    if (isCommand(key, 'input.openExternalEditor')) return this.openEditor();
    if (isCommand(key, 'input.deprecatedOpenExternalEditor')) {
      options.onHint?.('Ctrl+X will go away; Ctrl+G opens the editor.');
      return this.openEditor();
    }
    if (isCommand(key, 'input.paste')) {
      options.onPasteRequest?.();
      return options.onPasteRequest !== undefined;
    }
    if (isCommand(key, 'history.previous')) return this.browse(-1);
    if (isCommand(key, 'history.next')) return this.browse(1);
    const command = commandOf(key, EDIT_COMMANDS);
    if (!command) return false;
    const columns = columnsOf(this.state());
    const { buffer } = this.state();
    if (command === 'cursor.up' && isFirstRow(buffer, columns)) return this.browse(-1);
    if (command === 'cursor.down' && isLastRow(buffer, columns)) return this.browse(1);
    if (command === 'edit.deleteLeft' && this.isEmpty() && this.state().isShellMode)
      this.dispatch({ type: 'shellMode', on: false });
    else this.dispatch({ type: 'edit', command });
    return true;
  }

  private toggleFold(): boolean {
    const before = this.state();
    this.dispatch({ type: 'toggleFold' });
    return this.state() !== before;
  }

  private browse(step: -1 | 1): boolean {
    const { options } = this;
    const { isShellMode } = this.state();
    const queued = step < 0 && this.isEmpty() ? options.takeQueue?.() : undefined;
    if (queued !== undefined) this.dispatch({ type: 'setText', text: queued, cursor: 'end' });
    else {
      const entries = (isShellMode ? options.shellHistory?.() : options.history?.()) ?? [];
      this.dispatch({ type: 'history', step, entries });
    }
    return true;
  }

  private openEditor(): boolean {
    const { onExternalEditor } = this.options;
    if (!onExternalEditor) return false;
    this.isEditing = true;
    const done = (text: string | undefined) => {
      this.isEditing = false;
      if (text !== undefined)
        this.dispatch({ type: 'setText', text: text.replace(/\r?\n$/, ''), cursor: 'end' });
    };
    onExternalEditor(fullTextOf(this.state().buffer)).then(done, () => done(undefined));
    return true;
  }

  private handleText(key: Key): boolean {
    if (key.text === '') return false;
    // Many characters at once come from a terminal that does not mark pastes.
    if (key.name === '') this.pasted();
    if (key.text === '!' && this.isEmpty())
      this.dispatch({ type: 'shellMode', on: !this.state().isShellMode });
    else this.dispatch({ type: 'insert', text: key.text });
    return true;
  }
}

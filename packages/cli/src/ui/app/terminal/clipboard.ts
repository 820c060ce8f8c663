/** Clipboard, editor and dropped files: what the composer gets from outside of the program. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  askTerminalForClipboard,
  clipboardOfAnswer,
  copyText,
  pasteTextFromTools,
} from '../../../input/clipboard.js';
import { type PastedImage, saveClipboardImage } from '../../../input/clipboard-image.js';
import { editorCommand } from '../../../input/editor-command.js';
import { editText } from '../../../input/external-editor.js';
import { atReference, preparePaste } from '../../../input/paste.js';
import { writeToTerminal } from '../../../terminal/first-paint.js';
import type { ComposerStore } from '../../composer/composer-store.js';
import type { App } from '../app.js';
import { runInForeground, type ScreenLease } from './user-editor.js';

export class Outside {
  private isAsking = false;

  constructor(
    private readonly app: App,
    private readonly screen: ScreenLease,
    private readonly composer: () => ComposerStore,
  ) {}

  async copy(text: string): Promise<void> {
    await copyText(text, { env: this.app.env, writeToTerminal });
  }

  /** Ctrl+V: an image where there is one, else text. */
  async paste(): Promise<void> {
    const { settings } = this.app;
    if (settings.experimental?.useOSC52Paste) {
      this.isAsking = true;
      askTerminalForClipboard({ env: this.app.env, writeToTerminal });
      return;
    }
    const image = await this.clipboardImage();
    if (image.kind === 'image') {
      const reference = atReference(image.path, { cwd: this.app.engine.folder.cwd });
      this.composer().insertImage(reference, image.fileName);
      return;
    }
    const text = await pasteTextFromTools({ env: this.app.env });
    if (text) this.composer().paste(text);
    else
      this.app.toasts.show(
        image.kind === 'problem' ? image.message : 'There is nothing to paste.',
        'warning',
      );
  }

  /** True: it was the answer to our question for the clipboard. */
  handleAnswer(sequence: string): boolean {
    const text = clipboardOfAnswer(sequence);
    // Only what was asked for: anything shown could make a terminal answer.
    if (text === undefined || !this.isAsking) return false;
    this.isAsking = false;
    this.composer().paste(text);
    return true;
  }

  prepare(text: string): string {
    return preparePaste(text, {
      cwd: this.app.engine.folder.cwd,
      home: this.app.engine.folder.environment.home,
      isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
      escapeAt: this.app.settings.ui?.escapePastedAtSymbols ?? false,
    });
  }

  /** The prompt in the user's editor. */
  async edit(text: string): Promise<string | undefined> {
    const { preferredEditor: preferred } = this.app.settings.general ?? {};
    const edited = await editText(text, {
      ...(preferred && { preferred }),
      env: this.app.env,
      screen: { giveAway: () => undefined, takeBack: () => undefined },
      start: ({ file, args, isTerminal }, path) => {
        const run = () => runInForeground(file, [...args, path]);
        return isTerminal ? this.screen.withTerminal(run) : run();
      },
    });
    if (edited.kind === 'text') return edited.text;
    this.app.add({ type: 'error', text: edited.message });
    return undefined;
  }

  /** A file of the user, e.g. a plan. */
  async openFile(path: string): Promise<void> {
    const { preferredEditor: preferred } = this.app.settings.general ?? {};
    const editor = editorCommand({ ...(preferred && { preferred }), env: this.app.env });
    if (!editor) throw new Error('No editor was found: choose one with /editor or set VISUAL or EDITOR.');
    const run = () => runInForeground(editor.file, [...editor.args, path]);
    await (editor.isTerminal ? this.screen.withTerminal(run) : run());
  }

  private async clipboardImage(): Promise<PastedImage> {
    const { config } = this.app.engine;
    if (!config) return { kind: 'none' };
    const directory = join(config.storage.getProjectTempDir(), 'images');
    return saveClipboardImage({ env: this.app.env, directory, now: this.app.options.now });
  }
}

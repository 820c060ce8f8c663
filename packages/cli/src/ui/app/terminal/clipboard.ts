/** The user's clipboard: what is copied to it and pasted from it into the prompt. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@gemini-cli/core';
import {
  askTerminalForClipboard,
  clipboardOfAnswer,
  copyText,
  pasteTextFromTools,
} from '../../../input/clipboard.js';
import { type PastedImage, saveClipboardImage } from '../../../input/clipboard-image.js';
import { atReference, preparePaste } from '../../../input/paste.js';
import { writeToTerminal } from '../../../terminal/first-paint.js';
import type { AppContext } from '../context/app-context.js';

/** The prompt, as far as a paste needs it. */
export interface PasteTarget {
  paste(text: string): void;
  insertImage(reference: string, fileName: string): void;
}

export class Clipboard {
  private isAsking = false;

  constructor(
    private readonly context: AppContext,
    private readonly engine: { readonly config: Config | undefined },
  ) {}

  async copy(text: string): Promise<void> {
    const { env, settings } = this.context;
    const byTerminal = settings.experimental?.useOSC52Copy ?? false;
    await copyText(text, { env, writeToTerminal, byTerminal });
  }

  /** Ctrl+V: an image if there is one, else text. */
  async pasteInto(target: PasteTarget): Promise<void> {
    const { settings, env, folder, toasts } = this.context;
    if (settings.experimental?.useOSC52Paste) {
      this.isAsking = true;
      askTerminalForClipboard({ env, writeToTerminal });
      return;
    }
    const image = await this.image();
    if (image.kind === 'image') {
      target.insertImage(atReference(image.path, { cwd: folder.cwd }), image.fileName);
      return;
    }
    const text = await pasteTextFromTools({ env });
    if (text) target.paste(text);
    else toasts.show(image.kind === 'problem' ? image.message : 'There is nothing to paste.', 'warning');
  }

  /** @returns the clipboard, if this is the terminal's answer to our question for it */
  textOfAnswer(sequence: string): string | undefined {
    const text = clipboardOfAnswer(sequence);
    // Without a question of ours it is ignored: any text that is shown could make a terminal send one.
    if (text === undefined || !this.isAsking) return undefined;
    this.isAsking = false;
    return text;
  }

  /** Dropped files become references. */
  prepare(text: string): string {
    const { folder, settings } = this.context;
    return preparePaste(text, {
      cwd: folder.cwd,
      home: folder.environment.home,
      isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
      escapeAt: settings.ui?.escapePastedAtSymbols ?? false,
    });
  }

  private async image(): Promise<PastedImage> {
    const { config } = this.engine;
    if (!config) return { kind: 'none' };
    const directory = join(config.storage.getProjectTempDir(), 'images');
    return saveClipboardImage({ env: this.context.env, directory, now: this.context.now });
  }
}

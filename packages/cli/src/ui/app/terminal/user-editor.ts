/** The user's editor, which gets the terminal while it runs: for the prompt, for files, for proposed changes. */
import { spawn } from 'node:child_process';
import { loadFrontEnd } from '@gemini-cli/core';
import { type EditorStart, editorCommand } from '../../../input/editor-command.js';
import { editText } from '../../../input/external-editor.js';
import type { AppContext } from '../context/app-context.js';
import type { EditProposal } from '../conversation/confirmations.js';
import type { TerminalControl } from './terminal-control.js';

const NO_EDITOR = 'No editor was found: choose one with /editor, or set VISUAL or EDITOR.';

export class UserEditor {
  constructor(
    private readonly context: AppContext,
    private readonly terminal: TerminalControl,
  ) {}

  /** @returns the edited prompt; undefined: it stays as it is */
  async editPrompt(text: string): Promise<string | undefined> {
    const edited = await editText(text, {
      ...this.preference(),
      env: this.context.env,
      start: (editor, path) => this.run({ ...editor, args: [...editor.args, path] }),
    });
    if (edited.kind === 'text') return edited.text;
    this.context.add({ type: 'error', text: edited.message });
    return undefined;
  }

  /** Opens a file of the user, e.g. a plan. */
  async openFile(path: string): Promise<void> {
    const editor = editorCommand({ ...this.preference(), env: this.context.env });
    if (!editor) throw new Error(NO_EDITOR);
    await this.run({ ...editor, args: [...editor.args, path] });
  }

  proposalEditor(): EditProposal {
    const { settings, env, now } = this.context;
    return async (proposal) => {
      const { chooseEditor, proposalEditor, temporaryDirectory } = await loadFrontEnd();
      const { preferredEditor: preferred, openEditorInNewWindow: newWindow } = settings.general ?? {};
      const start = chooseEditor({ preferred, newWindow, env, isSandboxed: Boolean(env['SANDBOX']) });
      if (!start) throw new Error(NO_EDITOR);
      const edit = proposalEditor({
        start,
        open: (editor, signal) => this.run(editor, signal),
        now,
        temporary: temporaryDirectory(env),
      });
      return edit(proposal, new AbortController().signal);
    };
  }

  private preference(): { preferred?: string } {
    const { preferredEditor: preferred } = this.context.settings.general ?? {};
    return preferred ? { preferred } : {};
  }

  private run({ file, args, isTerminal }: Omit<EditorStart, 'name'>, signal?: AbortSignal): Promise<void> {
    const start = () => runInForeground(file, args, signal);
    return isTerminal ? this.terminal.withTerminal(start) : start();
  }
}

function runInForeground(file: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...(signal && { signal }) });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`))));
  });
}

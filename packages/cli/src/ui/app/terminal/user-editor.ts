/** Gives the screen to the user's editor for a proposed change, and takes it back. */
import { spawn } from 'node:child_process';
import { loadFrontEnd, type Settings, type Variables } from '@gemini-cli/core';
import type { EditProposal } from '../conversation/confirmations.js';

export interface ScreenLease {
  /** Gives the terminal to a program and takes it back. */
  withTerminal<T>(work: () => Promise<T>): Promise<T>;
}

export interface EditorSources {
  readonly settings: Settings;
  readonly env: Variables;
  readonly options: { now: () => number };
}

export function proposalEditorOf(
  { settings, env, options: { now } }: EditorSources,
  screen: ScreenLease,
): EditProposal {
  return async (proposal) => {
    const { chooseEditor, proposalEditor, temporaryDirectory } = await loadFrontEnd();
    const { preferredEditor: preferred, openEditorInNewWindow: newWindow } = settings.general ?? {};
    const start = chooseEditor({
      preferred,
      newWindow,
      env,
      isSandboxed: Boolean(env['SANDBOX']),
    });
    if (!start) throw new Error('No editor was found: choose one with /editor, or set VISUAL or EDITOR.');
    const edit = proposalEditor({
      start,
      open: ({ file, args, isTerminal }, signal) => {
        const run = () => runInForeground(file, args, signal);
        return isTerminal ? screen.withTerminal(run) : run();
      },
      now,
      temporary: temporaryDirectory(env),
    });
    return edit(proposal, new AbortController().signal);
  };
}

export function runInForeground(file: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...(signal && { signal }) });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`))));
  });
}

/** The window title: what the program is doing. */
import { basename } from 'node:path';
import type { Settings } from '@gemini-cli/core';
import type { UiState } from '../store/state.js';
import { cleanLine } from '../text/clean.js';

const LENGTH = 80;

export function windowTitle(state: UiState, ui: Settings['ui'], env: NodeJS.ProcessEnv): string | undefined {
  if (ui?.hideWindowTitle || env['TERM'] === 'dumb') return undefined;
  const folder = cleanLine(env['CLI_TITLE'] || basename(state.facts.cwd));
  const text =
    ui?.dynamicWindowTitle === false ? `Gemini CLI (${folder})` : `${stateText(state, ui)} (${folder})`;
  // Padded to a fixed length: a shorter title would make the tab bar jump.
  return [...text].slice(0, LENGTH).join('').padEnd(LENGTH);
}

function stateText(state: UiState, ui: Settings['ui']): string {
  if (state.confirmation || state.dialog) return '✋  Action Required';
  if (state.streaming === 'idle') return '◇  Ready';
  if (state.isShellWaiting) return '⏲  Working…';
  const thought = ui?.showStatusInTitle ? state.thought : undefined;
  return `✦  ${thought ? cleanLine(thought) : 'Working…'}`;
}

export function titleSequence(title: string): string {
  return `\x1b]0;${title}\x07`;
}

/** Asks the terminal to save its title, and to restore it. */
export const SAVE_TITLE = '\x1b[22;0t';
export const RESTORE_TITLE = '\x1b[23;0t';

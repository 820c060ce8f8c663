/** Text beside the spinner (`ui.loadingPhrases`): tips at the right, jokes instead of "Thinking...". */
import type { Settings } from '@gemini-cli/core';
import { cleanLine } from '../../text/clean.js';

export interface Phrases {
  /** Instead of `Thinking...`. */
  witty?: string;
  /** Instead of the hint at the right. */
  tip?: string;
}

const TIP_MS = 10_000;
const WITTY_MS = 5_000;

const TIPS: readonly string[] = [
  'Tip: @ adds a file to the prompt',
  'Tip: ! runs a shell command yourself',
  'Tip: Ctrl+R searches earlier prompts',
  'Tip: Ctrl+G opens the prompt in your editor',
  'Tip: /undo reverts file changes',
  'Tip: /compress makes room in a long conversation',
  'Tip: Esc Esc goes back to an earlier prompt',
  'Tip: Shift+Tab auto-accepts edits',
  'Tip: /stats shows what the session has used',
  'Tip: what you type now is sent when this is done',
];

const WITTY: readonly string[] = [
  'Reading between the braces',
  'Counting semicolons',
  'Asking the rubber duck',
  'Untangling a knot of imports',
  'Weighing tabs against spaces',
  'Looking for the missing bracket',
  'Warming up the electrons',
  'Following the pointer',
  'Bribing the compiler',
  'Rounding up stray bits',
];

/** @param sinceMs how long the work has lasted; @param start which one comes first */
export function phrasesAt(ui: Settings['ui'], sinceMs: number, start: number): Phrases {
  const kind = ui?.loadingPhrases ?? 'off';
  const own = (ui?.customWittyPhrases ?? []).filter((text) => typeof text === 'string').map(cleanLine);
  const jokes = own.some((text) => text !== '') ? own.filter((text) => text !== '') : WITTY;
  const wantsWitty = kind === 'witty' || kind === 'all';
  const wantsTip = kind === 'tips' || kind === 'all';
  return {
    ...(wantsWitty && { witty: at(jokes, start + Math.floor(sinceMs / WITTY_MS)) }),
    ...(wantsTip && { tip: at(TIPS, start + Math.floor(sinceMs / TIP_MS)) }),
  };
}

function at(list: readonly string[], index: number): string {
  return list[Math.abs(index) % list.length] ?? '';
}

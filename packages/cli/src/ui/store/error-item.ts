/** A failed request as an item of the conversation: what failed, and once what to do. */
import { clockTime, type ErrorInfo, type ErrorRemedy } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../history/item.js';

export function errorItem({ message, reason, remedy }: ErrorInfo, now: number): HistoryItemWithoutId {
  if (!remedy || reason === undefined) return { type: 'error', text: message };
  return { type: 'error', text: reason, advice: advice(remedy, now) };
}

function advice({ kind, until }: ErrorRemedy, now: number): string {
  const time = until === undefined ? undefined : clockTime(until, now);
  switch (kind) {
    case 'quota':
      return `Quota used up${time ? ` until ${time}` : ''}. Switch models with /model; /stats model shows usage.`;
    case 'later':
      return `Try again ${time ? `after ${time}` : 'later'}, or switch models with /model.`;
    case 'again':
      return 'Try again, or switch models with /model.';
    case 'rephrase':
      return 'Rephrase the prompt, or switch models with /model.';
  }
}

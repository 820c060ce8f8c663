/** `/compress` replaces the conversation with a summary; `/uncompress` undoes that. */
import { messageOf } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../history/item.js';
import { type Action, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const compress: Action = async (context) => {
  const { ui } = context;
  const client = engineOf(context).getGeminiClient();
  if (ui.pendingItem?.type === 'compression') return failure('The conversation is already being compressed.');
  ui.setPendingItem({ type: 'compression', isPending: true });
  try {
    const events = await client.compress(
      `compress-${Date.now()}`,
      context.signal ?? new AbortController().signal,
    );
    const done = events.findLast((event) => event.type === 'chat_compressed');
    const item: HistoryItemWithoutId = {
      type: 'compression',
      isPending: false,
      status: done?.status ?? 'NOOP',
      ...(done && { originalTokens: done.originalTokens, newTokens: done.newTokens }),
    };
    return { type: 'items', items: [item] };
  } catch (error) {
    return failure(`The conversation could not be compressed: ${messageOf(error)}`);
  } finally {
    ui.setPendingItem(null);
  }
};

export const uncompress: Action = async (context) => {
  const isRestored = await engineOf(context).getGeminiClient().uncompress();
  return isRestored ? info('Undid the last compression.') : failure('There is no compression to undo.');
};

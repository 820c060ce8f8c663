/** What the excerpts of seed 004 §5.4 leave out: the saved chats and the other sub-commands of /chat. */
import type { Message } from '@gemini-cli/core';
import { CommandKind, type SlashCommand } from '../../packages/cli/src/commands/types.js';
import type { HistoryItemWithoutId } from '../../packages/cli/src/history/item.js';

export const chats = [{ name: 'monday' }, { name: 'tuesday' }];

export const formatList = (list: typeof chats) => list.map(({ name }) => name).join(', ');

export const history: HistoryItemWithoutId[] = [{ type: 'user', text: 'Hello' }];

export const clientHistory: Message[] = [{ role: 'user', origin: 'prompt', parts: [{ text: 'Hello' }] }];

const subCommand = (name: string): SlashCommand => ({
  name,
  description: `${name} a conversation`,
  kind: CommandKind.BUILT_IN,
});

export const deleteCommand = subCommand('delete');
export const saveCommand = subCommand('save');

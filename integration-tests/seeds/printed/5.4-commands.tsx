// Seed 004 §5.4: /model, /chat and the command with a confirmation. Added: the imports, and what the excerpts leave out
// (saved chats and two further sub-commands). /clear is printed with hooks, which come later; ours runs in 8.3.test.ts.
import { Text } from 'ink';
import { type CommandContext, CommandKind, type SlashCommand } from '../../../packages/cli/src/commands/types.js';
import { chats, clientHistory, deleteCommand, formatList, history, saveCommand } from '../saved-chats.js';

const getSavedChatTags = async (_context: CommandContext, _newestFirst: boolean) => chats;

export const modelCommand: SlashCommand = {
  name: 'model',
  description: 'Opens a dialog to configure the model',
  kind: CommandKind.BUILT_IN,
  autoExecute: true,
  action: async (context) => {
    if (context.services.config) {
      await context.services.config.refreshUserQuota();
    }
    return { type: 'dialog', dialog: 'model' };
  },
};

const listCommand: SlashCommand = {
  name: 'list',
  description: 'List saved conversations',
  kind: CommandKind.BUILT_IN,
  autoExecute: true,
  action: async (context) => {
    const chats = await getSavedChatTags(context, true);
    // Display list...
    return { type: 'message', messageType: 'info', content: formatList(chats) };
  },
};

const resumeCommand: SlashCommand = {
  name: 'resume',
  altNames: ['load'],
  description: 'Resume a conversation. Usage: /chat resume <tag>',
  kind: CommandKind.BUILT_IN,
  autoExecute: true,
  action: async (context, args) => {
    const tag = args.trim();
    if (!tag) {
      return { type: 'message', messageType: 'error', content: 'Missing tag' };
    }
    // Load conversation...
    return { type: 'load_history', history, clientHistory };
  },
  completion: async (context, partialArg) => {
    const chats = await getSavedChatTags(context, true);
    return chats.map(c => c.name).filter(n => n.startsWith(partialArg));
  },
};

export const chatCommand: SlashCommand = {
  name: 'chat',
  description: 'Manage conversation history',
  kind: CommandKind.BUILT_IN,
  autoExecute: false,
  subCommands: [listCommand, resumeCommand, deleteCommand, saveCommand],
};

export const dangerousCommand: SlashCommand = {
  name: 'dangerous',
  description: 'Does something dangerous',
  kind: CommandKind.BUILT_IN,
  autoExecute: true,
  action: async (context, args) => {
    // Check if already confirmed
    if (!context.overwriteConfirmed) {
      return {
        type: 'confirm_action',
        prompt: <Text>Are you sure you want to do this?</Text>,
        originalInvocation: { raw: `/dangerous ${args}` },
      };
    }
    // Proceed with dangerous action...
  },
};

/** `/chat save|resume|list|delete|share|debug`: saves conversations under a tag or exports them to a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSessions } from '@gemini-cli/core';
import { itemsFromRecord } from '../../history/recorded-items.js';
import type { CommandContext } from '../types.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const list: Action = async (context) => {
  const { relativeTime } = await loadSessions();
  const chats = await chatsOf(context);
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Saved checkpoints',
        rows: chats.list().map(({ tag, time }) => ({ name: tag, note: relativeTime(time, Date.now()) })),
        empty: 'No saved checkpoints. Save one with /chat save <tag>.',
      },
    ],
  };
};

export const save: Action = async (context, tag) => {
  if (tag === '') return failure('A tag is missing: /chat save <tag>');
  const chats = await chatsOf(context);
  const { status } = chats.save(tag, { overwrite: context.overwriteConfirmed === true });
  if (status === 'exists') return askToReplace(context, `Checkpoint "${tag}" exists already. Replace it?`);
  return info(`Saved the conversation as "${tag}". Continue from here with /chat resume ${tag}.`);
};

export const resume: Action = async (context, tag) => {
  if (tag === '') return failure('A tag is missing: /chat resume <tag>. /chat list shows them.');
  const config = engineOf(context);
  const { history } = await (await chatsOf(context)).load(tag);
  const registry = config.getToolRegistry();
  return {
    type: 'load_history',
    history: itemsFromRecord(history, (tool) => registry.getTool(tool)?.displayName),
    // The engine has already loaded it.
    clientHistory: config.getGeminiClient().getChat().getHistory(),
  };
};

export const remove: Action = async (context, tag) => {
  if (tag === '') return failure('A tag is missing: /chat delete <tag>. /chat list shows them.');
  (await chatsOf(context)).delete(tag);
  return info(`Deleted checkpoint "${tag}".`);
};

export const share: Action = async (context, args) => {
  const file = args.replace(/^"(.*)"$/, '$1');
  const chats = await chatsOf(context);
  const { status, path } = chats.share(file, { overwrite: context.overwriteConfirmed === true });
  if (status === 'exists') return askToReplace(context, `${path} exists already. Replace it?`);
  return info(`Saved to ${path}.`);
};

export const debug: Action = async (context) => {
  const request = await engineOf(context).getLastRequest();
  if (request === undefined) return info('No request has been sent yet.');
  const path = join(context.ui.app.cwd, `gcli-request-${Date.now()}.json`);
  const clean = engineOf(context).getRedactor().redactValue(request);
  writeFileSync(path, `${JSON.stringify(clean, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return info(`Saved the last request to ${path}.`);
};

export const completeTag: Completion = async (context, partialArg) => {
  if (!context.services.config) return [];
  const tags = (await chatsOf(context)).list().map(({ tag }) => tag);
  return tags.filter((tag) => tag.startsWith(partialArg));
};

async function chatsOf(context: CommandContext) {
  return (await engineOf(context).getCheckpoints()).chats;
}

function askToReplace({ invocation }: CommandContext, prompt: string) {
  return {
    type: 'confirm_action' as const,
    prompt,
    originalInvocation: { raw: invocation?.raw ?? '' },
  };
}

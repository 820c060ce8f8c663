/** `init`: lets the model write the context file of the workspace. It is a task of its own, whose events it streams. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type Message, Role, StreamResponse } from '@a2a-js/sdk';
import { FileError, loadInitPrompt } from '@gemini-cli/core';
import type { Command, CommandContext } from './command.js';

async function* run(context: CommandContext): AsyncGenerator<unknown> {
  const config = await context.config();
  const target = config.getMemory().fileFor('project');
  const files = config.getFileSystemService();
  if (await exists(() => files.inspect(target))) {
    yield { text: `${target} exists already; nothing was changed.` };
    return;
  }
  const { initPrompt } = await loadInitPrompt();
  const { taskId, after } = await context.service.send(messageOf(initPrompt(basename(target)), context));
  yield { text: `The model writes ${target}.`, taskId };
  for await (const { event, isLast } of context.service.events(taskId, { after, signal: context.signal })) {
    yield StreamResponse.toJSON(event);
    if (isLast) return;
  }
}

function messageOf(text: string, { workspace }: CommandContext): Message {
  return {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: { coderAgent: { kind: 'agent-settings', workspacePath: workspace } },
    extensions: [],
    referenceTaskIds: [],
  };
}

async function exists(inspect: () => Promise<unknown>): Promise<boolean> {
  try {
    await inspect();
    return true;
  } catch (error) {
    if (error instanceof FileError) return error.problem !== 'missing';
    throw error;
  }
}

export const init: Command = {
  name: 'init',
  description: 'Let the model write the context file of the workspace (GEMINI.md)',
  needsWorkspace: true,
  stream: run,
};

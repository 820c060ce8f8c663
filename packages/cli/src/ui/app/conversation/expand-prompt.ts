/** Turns what was typed into what is sent: files behind `@` are read, and the user sees which. */
import { messageOf, type PartListUnion, setting } from '@gemini-cli/core';
import type { ToolView } from '../../../history/item.js';
import { expandAtReferences } from '../../../input/at-references.js';
import { atServers } from '../../../input/at-servers.js';
import type { AppContext } from '../context/app-context.js';
import type { UserQuestions } from './engine-events.js';
import type { EngineHost } from './engine-host.js';

export interface ExpandParts {
  context: AppContext;
  engine: EngineHost;
  questions: Pick<UserQuestions, 'ask'>;
}

/** @throws naming the reference that cannot be read */
export async function expandPrompt(
  text: string,
  { context, engine: { config }, questions }: ExpandParts,
  signal: AbortSignal,
): Promise<PartListUnion> {
  if (!config || !text.includes('@')) return text;
  try {
    // Their resources are known once they are connected; the request would wait for them anyway.
    await config.mcpReady(signal);
    const { parts, notices, attached, missing } = await expandAtReferences(
      { piped: '', typed: text },
      config,
      {
        signal,
        mask: (content) => config.maskForModel(content),
        findAgent: (name) => config.getAgentCaller().find(name)?.name,
        servers: atServers(config),
        search: setting(context.settings, 'context.fileFiltering.enableRecursiveFileSearch'),
        mayRead: async (path) =>
          (await questions.ask('confirmAction', {
            prompt: `${path} is outside the workspace. Read it and send it to the model?`,
          })) === true,
      },
    );
    if (attached.length > 0) context.add({ type: 'tool_group', tools: attached.map(attachedView) });
    for (const notice of notices) context.add({ type: 'info', text: notice });
    for (const path of missing)
      context.add({ type: 'warning', text: `@${path}: no such file; sent as text` });
    return parts;
  } catch (error) {
    throw new Error(`${messageOf(error)} Nothing was sent.`, { cause: error });
  }
}

/** Shown like a finished call that read it. */
function attachedView(description: string, index: number): ToolView {
  return {
    callId: `attached-${index}`,
    name: 'read_file',
    displayName: 'Attached',
    description,
    status: 'success',
  };
}

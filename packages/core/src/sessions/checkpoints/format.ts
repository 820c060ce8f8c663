/** A checkpoint as it stands on disk (cli.md §8): ours, and those of Gemini CLI. What is read is checked here, once. */
import { isObject } from '../../base/objects.js';
import type { Content } from '../../protocol/messages.js';
import type { Todo } from '../../protocol/tool-display.js';
import type { HistoryItemWithoutId } from '../reading/convert.js';
import { isTodo } from '../reading/display-from.js';
import { contentsFrom } from './contents.js';
import { uiItemsFrom } from './ui-items.js';

/** What the agent was working with. */
export interface AgentState {
  /** Approval mode. */
  mode?: string;
  model?: string;
  todos?: Todo[];
  /** Names of the active ones. */
  skills?: string[];
  planPath?: string;
}

export interface CheckpointedCall {
  name: string;
  args: Record<string, unknown>;
}

export interface Checkpoint {
  /** Whose it is; it goes with that session. */
  sessionId?: string;
  /** The prompt during which it was made. */
  messageId?: string;
  /** In the snapshot store: the files as before the call. */
  snapshotId?: string;
  /** In the shadow repository of Gemini CLI. */
  commitHash?: string;
  /** Absent in one made by hand. */
  toolCall?: CheckpointedCall;
  agentState?: AgentState;
  history: HistoryItemWithoutId[];
  clientHistory: Content[];
}

/** What a listing tells comes first, so that it need not read the conversation. */
export function checkpointText(checkpoint: Checkpoint): string {
  const { sessionId, messageId, snapshotId, commitHash, toolCall, agentState, history, clientHistory } =
    checkpoint;
  const inOrder = {
    sessionId,
    messageId,
    snapshotId,
    commitHash,
    toolCall,
    agentState,
    history,
    clientHistory,
  };
  return `${JSON.stringify(inOrder, null, 1)}\n`;
}

/** From the beginning of a file. */
export function sessionIdIn(head: string): string | undefined {
  return /^\{\s*"sessionId":\s*"([\w.-]+)"/.exec(head)?.[1];
}

/** Undefined when it is no checkpoint. */
export function checkpointFrom(value: unknown): Checkpoint | undefined {
  if (!isObject(value)) return undefined;
  const { toolCall, agentState } = value;
  const clientHistory = contentsFrom(value['clientHistory']);
  const history = uiItemsFrom(value['history']);
  if (!clientHistory && !history && !isCall(toolCall)) return undefined;
  return {
    ...texts(value, ['sessionId', 'messageId', 'snapshotId', 'commitHash']),
    ...(isCall(toolCall) && {
      toolCall: { name: toolCall.name, args: isObject(toolCall.args) ? toolCall.args : {} },
    }),
    ...(isObject(agentState) && { agentState: agentStateFrom(agentState) }),
    history: history ?? [],
    clientHistory: clientHistory ?? [],
  };
}

function isCall(value: unknown): value is { name: string; args?: unknown } {
  return isObject(value) && typeof value['name'] === 'string' && value['name'] !== '';
}

function agentStateFrom(value: Record<string, unknown>): AgentState {
  const { todos, skills } = value;
  return {
    ...texts(value, ['mode', 'model', 'planPath']),
    ...(Array.isArray(todos) && { todos: todosFrom(todos) }),
    ...(Array.isArray(skills) && { skills: skills.filter((name) => typeof name === 'string') }),
  };
}

export function todosFrom(value: unknown): Todo[] {
  return Array.isArray(value) ? value.filter(isTodo) : [];
}

function texts<K extends string>(
  value: Record<string, unknown>,
  keys: readonly K[],
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = value[key];
    if (typeof text === 'string' && text !== '') found[key] = text;
  }
  return found;
}

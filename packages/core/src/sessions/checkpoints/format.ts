/** The checkpoint file format, ours and Gemini CLI's; everything read is validated here, once. */
import { isObject } from '../../base/objects.js';
import type { Content } from '../../protocol/messages.js';
import type { Todo } from '../../protocol/tool-display.js';
import type { HistoryItemWithoutId } from '../reading/convert.js';
import { isTodo } from '../reading/display-from.js';
import { contentsFrom } from './contents.js';
import { uiItemsFrom } from './ui-items.js';

/** The agent's state when the checkpoint was made. */
export interface AgentState {
  /** Approval mode. */
  mode?: string;
  model?: string;
  todos?: Todo[];
  /** Names of the active skills. */
  skills?: string[];
  planPath?: string;
}

export interface CheckpointedCall {
  name: string;
  args: Record<string, unknown>;
}

export interface Checkpoint {
  /** The session that made it; it is deleted with that session. */
  sessionId?: string;
  /** The prompt during which it was made. */
  messageId?: string;
  /** Id in the snapshot store: the files before the call. */
  snapshotId?: string;
  /** Commit in Gemini CLI's shadow repository. */
  commitHash?: string;
  /** Absent when the user made the checkpoint with a command. */
  toolCall?: CheckpointedCall;
  agentState?: AgentState;
  history: HistoryItemWithoutId[];
  clientHistory: Content[];
}

/** The fields that a listing shows come first, so that it need not read the conversation. */
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

/** Finds the session id in the first bytes of a file. */
export function sessionIdIn(head: string): string | undefined {
  return /^\{\s*"sessionId":\s*"([\w.-]+)"/.exec(head)?.[1];
}

/** Undefined when the value is not a checkpoint. */
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

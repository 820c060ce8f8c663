/** The conversation as nodes, one per part, so that single parts can be replaced and summarised. */
import type { Message, Part } from '../../protocol/messages.js';

export type NodeType =
  | 'USER_PROMPT'
  | 'SYSTEM_EVENT'
  | 'AGENT_THOUGHT'
  | 'TOOL_EXECUTION'
  | 'MASKED_TOOL'
  | 'AGENT_YIELD'
  | 'SNAPSHOT'
  | 'ROLLING_SUMMARY';

export interface ContextNode {
  readonly id: string;
  readonly turnId: string;
  readonly role: Message['role'];
  readonly type: NodeType;
  readonly payload: Part;
  /** When it entered the graph, in milliseconds. */
  readonly timestamp: number;
  /** The node that this one replaces in a shorter form. */
  readonly replacesId?: string;
  /** The nodes that this one summarises. */
  readonly abstractsIds?: readonly string[];
}

/** A message with its nodes; without it, messages without parts would be lost. */
export interface ContextTurn {
  readonly id: string;
  readonly message: Message;
  readonly nodes: readonly ContextNode[];
}

export interface ContextGraph {
  readonly turns: readonly ContextTurn[];
}

export function nodeType({ origin, role }: Message, part: Part): NodeType {
  if (part.thought) return 'AGENT_THOUGHT';
  if (part.functionCall || part.functionResponse) return 'TOOL_EXECUTION';
  if (origin === 'summary') return 'SNAPSHOT';
  if (role === 'model') return 'AGENT_YIELD';
  return origin === 'prompt' || origin === 'tool_response' ? 'USER_PROMPT' : 'SYSTEM_EVENT';
}

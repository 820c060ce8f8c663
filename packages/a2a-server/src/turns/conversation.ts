/** What a task keeps so that another process can continue its conversation. Plain data. */
import { randomUUID } from 'node:crypto';
import type { Message, Part, ToolConfirmationAnswer } from '@gemini-cli/core';
import type { TaskRecord } from '../contract.js';

export interface Conversation {
  /** Changes with every turn: an engine that has another one has missed a turn. */
  revision: string;
  /** Before the open request, or all of it. */
  history: readonly Message[];
  /** A request that waits for answers. */
  request?: OpenRequest;
}

export interface OpenRequest {
  parts: Part[];
  entries: Record<string, unknown>;
  /** In the order in which they were given. */
  answers: GivenAnswer[];
}

export interface GivenAnswer {
  callId: string;
  answer: ToolConfirmationAnswer;
}

export function conversationOf({ conversation }: Pick<TaskRecord, 'conversation'>): Conversation {
  return (conversation as Conversation | undefined) ?? NONE;
}

/** Of a task without a turn: an engine that was opened to look at it has missed none. */
const NONE: Conversation = { revision: '', history: [] };

export function newConversation(history: readonly Message[], request?: OpenRequest): Conversation {
  return { revision: randomUUID(), history, ...(request && { request }) };
}

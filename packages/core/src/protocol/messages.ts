/** The conversation as we keep it. Providers see it only after lowering (`model/<provider>/to-request.ts`). */

export interface Blob {
  mimeType: string;
  /** Base64. */
  data: string;
}

export interface FunctionCall {
  id?: string;
  name: string;
  args: Record<string, unknown>;
}

export interface FunctionResponse {
  id?: string;
  name: string;
  response: Record<string, unknown>;
  /** Media that belongs to the response; lowered per model family. */
  parts?: Part[];
}

/** One piece of a message. Exactly one of the payload fields is set. */
export interface Part {
  text?: string;
  inlineData?: Blob;
  fileData?: { mimeType: string; fileUri: string };
  functionCall?: FunctionCall;
  functionResponse?: FunctionResponse;
  executableCode?: { language: string; code: string };
  codeExecutionResult?: { outcome: string; output?: string };
  /** The text is a thought: shown and recorded, never sent back. */
  thought?: boolean;
  /** Opaque thought signature; sent back unchanged. */
  thoughtSignature?: string;
}

export type PartUnion = Part | string;
export type PartListUnion = PartUnion | PartUnion[];

/** One history entry as programs see it. */
export interface Content {
  role: 'user' | 'model';
  parts: Part[];
}

/** Where a message comes from, if role and parts do not say it. */
export type MessageOrigin =
  | 'prompt'
  | 'context'
  | 'tool_response'
  | 'model'
  | 'correction'
  /** A command the user ran in shell mode, with its output. */
  | 'shell'
  /** A summary that replaces older turns. */
  | 'summary'
  /** Repeated word for word after a summary: rules, plan, todos, last instructions. */
  | 'reminder';

export interface Message extends Content {
  origin: MessageOrigin;
  /** A prompt typed while the agent worked: it interrupts nothing, and it stays when a request fails. */
  isSteering?: boolean;
}

export interface TokenUsage {
  /** Prompt tokens, cached ones included. */
  prompt: number;
  candidates: number;
  cached: number;
  thoughts: number;
  tool: number;
  total: number;
}

export function toParts(list: PartListUnion): Part[] {
  const items = Array.isArray(list) ? list : [list];
  return items.map((item) => (typeof item === 'string' ? { text: item } : item));
}

/** The visible text of some parts, without thoughts and calls. */
export function textOf(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) if (part.text !== undefined && !part.thought) text += part.text;
  return text;
}

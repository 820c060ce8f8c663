/** The types of the Messages API, as far as we send and read them. */
import { createHash } from 'node:crypto';

export type CacheControl = { type: 'ephemeral' };

export interface TextBlock {
  type: 'text';
  text: string;
  cache_control?: CacheControl;
}

export interface MediaBlock {
  type: 'image' | 'document';
  source: { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string };
  cache_control?: CacheControl;
}

/** Returned unchanged: the server signs them. */
export type ThinkingBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  cache_control?: CacheControl;
}

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | (TextBlock | MediaBlock)[];
  is_error?: true;
  cache_control?: CacheControl;
}

export type Block = TextBlock | MediaBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock;

export interface WireMessage {
  role: 'user' | 'assistant';
  content: Block[];
}

export interface WireTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
  cache_control?: CacheControl;
}

export const EPHEMERAL: CacheControl = { type: 'ephemeral' };

/** The API takes names of letters, digits, `_` and `-`, up to 128; others are replaced by an equally unique one. */
export function wireName(name: string): string {
  if (/^[\w-]{1,128}$/.test(name)) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replace(/[^\w-]/g, '_').slice(0, 100)}_${digest}`;
}

/**
 * Thinking blocks stay in the history in the `thoughtSignature` of the call they led to, in a form that names
 * their provider. Blocks of another provider are meaningless here and left out.
 */
import { isObject } from '../../base/objects.js';
import type { ThinkingBlock } from './wire.js';

const PREFIX = 'anthropic:';

export interface Thinking {
  /** Before the text that precedes the call. */
  first: ThinkingBlock[];
  /** Between that text and the call. */
  last: ThinkingBlock[];
}

export function packThinking(provider: string, thinking: Thinking): string | undefined {
  if (thinking.first.length + thinking.last.length === 0) return undefined;
  return PREFIX + Buffer.from(JSON.stringify({ provider, ...thinking })).toString('base64');
}

/** Undefined: no signature, another provider's, or a damaged one. */
export function unpackThinking(provider: string, signature: string | undefined): Thinking | undefined {
  if (!signature?.startsWith(PREFIX)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(signature.slice(PREFIX.length), 'base64').toString('utf8'));
    if (!isObject(value) || value['provider'] !== provider) return undefined;
    return { first: blocksIn(value['first']), last: blocksIn(value['last']) };
  } catch {
    return undefined;
  }
}

function blocksIn(list: unknown): ThinkingBlock[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => thinkingBlock(item) ?? []);
}

/** Without unsigned blocks, which the server would refuse. */
export function thinkingBlock(value: unknown): ThinkingBlock | undefined {
  if (!isObject(value)) return undefined;
  const { type, thinking, signature, data } = value;
  if (type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string' && signature) {
    return { type, thinking, signature };
  }
  if (type === 'redacted_thinking' && typeof data === 'string' && data) return { type, data };
  return undefined;
}

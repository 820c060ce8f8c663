/** The protocols the program speaks with models, for tests that hold for each of them. */
import { onTestFinished } from 'vitest';
import {
  anthropicError,
  anthropicErrorEvent,
  apiError,
  chunk,
  errorInside,
  openAiError,
  type RigOptions,
  raw,
  type Script,
  type Step,
  startAnthropicServer,
  startOpenAiServer,
  type TestRig,
  testRig,
} from './test-utils.js';

/** A call as the protocol would write it, but only half of its arguments. */
const HALF = '{"file_path":"half.txt","con';

export interface Wire {
  name: string;
  model: string;
  /** How messages call who was asked. */
  shown: RegExp;
  env: (url: string) => Record<string, string | undefined>;
  error: (status: number, message: string, headers?: Record<string, string>) => Step;
  /** HTTP 200, and yet a bad request or an overload. */
  inside: (kind: 'bad' | 'overloaded', message: string) => Step;
  /** Half of a call that writes `half.txt`. */
  halfCall: Script;
}

const NO_GOOGLE = { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined };

const GEMINI: Wire = {
  name: 'Gemini',
  model: 'gemini-2.5-flash',
  shown: /gemini-2\.5-flash\W+Gemini API/,
  env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url }),
  error: (status, message, headers = {}) => apiError(status, message, { retryAfter: headers['retry-after'] }),
  inside: (kind, message) => errorInside(kind === 'bad' ? 400 : 503, message),
  halfCall: [
    raw(`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"write_file","args":${HALF}`),
  ],
};

export const OPENAI: Wire = {
  name: 'OpenAI',
  model: 'openai/gpt-x',
  shown: /openai\/gpt-x/,
  env: (url) => ({ ...NO_GOOGLE, OPENAI_API_KEY: 'sk-of-the-test', OPENAI_BASE_URL: `${url}/v1` }),
  error: (status, message, headers) => openAiError(status, message, { headers }),
  inside: (kind, message) => chunk({ error: { message, code: kind === 'bad' ? 400 : 503 } }),
  halfCall: [
    chunk({
      choices: [{ delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'write_file' } }] } }],
    }),
    chunk({ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: HALF } }] } }] }),
  ],
};

export const ANTHROPIC: Wire = {
  name: 'Anthropic',
  model: 'anthropic/claude-x',
  shown: /anthropic\/claude-x/,
  env: (url) => ({ ...NO_GOOGLE, ANTHROPIC_API_KEY: 'sk-of-the-test', ANTHROPIC_BASE_URL: url }),
  error: (status, message, headers) =>
    anthropicError(status, ERROR_TYPES[status] ?? 'api_error', message, headers),
  inside: (kind, message) =>
    anthropicErrorEvent(kind === 'bad' ? 'invalid_request_error' : 'overloaded_error', message),
  halfCall: [
    chunk({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'c', name: 'write_file', input: {} },
    }),
    chunk({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: HALF } }),
  ],
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const WIRES: readonly Wire[] = [GEMINI, OPENAI, ANTHROPIC];

/** What the scripted servers have in common. */
interface WireServer {
  origin: string;
  replies(...scripts: Script[]): unknown;
  readonly requests: readonly { body: unknown }[];
}

/** The program, set up for one protocol, with a scripted server that speaks it. */
export async function wireRig(
  wire: Wire,
  options: RigOptions = {},
): Promise<{ rig: TestRig; server: WireServer; args: string[] }> {
  const other = wire === OPENAI ? await startOpenAiServer() : undefined;
  const claude = wire === ANTHROPIC ? await startAnthropicServer() : undefined;
  if (claude) onTestFinished(() => claude.close());
  const url = (other ?? claude)?.origin;
  const rig = await testRig({ ...options, env: { ...(url && wire.env(url)), ...options.env } });
  const server: WireServer = other ?? claude ?? rig.model;
  return { rig, server, args: ['-m', wire.model] };
}

/** The same for all protocols at once; what fails says for which. */
export async function forAllWires(check: (wire: Wire) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(WIRES.map(check));
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') continue;
    const { reason } = result;
    if (reason instanceof Error) reason.message = `${WIRES[index]?.name}: ${reason.message}`;
    throw reason;
  }
}

interface ToolAnswer {
  id: string;
  text: string;
}

/** The answers to tool calls at the end of a request, in the order they were sent. */
export function toolAnswers(body: unknown): ToolAnswer[] {
  const { contents = [], messages = [] } = body as AnyBody;
  const gemini = contents
    .at(-1)
    ?.parts.flatMap(({ functionResponse: response }) =>
      response ? [{ id: response.id ?? '', text: JSON.stringify(response.response) }] : [],
    );
  if (gemini) return gemini;
  const claude = messages.at(-1)?.content;
  if (Array.isArray(claude)) {
    const results = claude.filter(({ type }) => type === 'tool_result');
    return results.map((block) => ({ id: block.tool_use_id ?? '', text: JSON.stringify(block.content) }));
  }
  const start = messages.findLastIndex(({ tool_calls: calls }) => calls?.length);
  const results = messages.slice(start + 1).filter(({ role }) => role === 'tool');
  return results.map((message) => ({ id: message.tool_call_id ?? '', text: String(message.content) }));
}

interface AnyBody {
  contents?: { parts: { functionResponse?: { id?: string; response: unknown } }[] }[];
  messages?: {
    role: string;
    content: string | null | { type: string; tool_use_id?: string; content?: unknown }[];
    tool_calls?: unknown[];
    tool_call_id?: string;
  }[];
}

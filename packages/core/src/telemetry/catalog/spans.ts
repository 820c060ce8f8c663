/** The names of spans and their attributes. */
import { headOf } from '../../base/cut-text.js';
import type { AttributeValue } from '../record.js';

export const SPAN_NAMES = [
  'tool_call',
  'llm_call',
  'user_prompt',
  'system_prompt',
  'agent_call',
  'schedule_tool_calls',
] as const;

export type SpanName = (typeof SPAN_NAMES)[number];

/** Only with `telemetry.traces`. */
export const TRACE_ATTRIBUTES = [
  'gen_ai.request.model',
  'gen_ai.response.model',
  'gen_ai.prompt.name',
  'gen_ai.tool.name',
  'gen_ai.tool.call_id',
  'gen_ai.tool.description',
  'gen_ai.tool.definitions',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
] as const;

/** Only with `telemetry.traces` and `telemetry.logPrompts`. */
export const TRACE_PROMPT_ATTRIBUTES = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
] as const;

type SpanAttribute = (typeof TRACE_ATTRIBUTES | typeof TRACE_PROMPT_ATTRIBUTES)[number];

export type SpanAttributes = { readonly [A in SpanAttribute]?: AttributeValue };

/** Attributes of every span. */
export function identityOf(name: SpanName, sessionId: string): Record<string, string> {
  return {
    'gen_ai.operation.name': name,
    'gen_ai.agent.name': 'gemini-cli',
    'gen_ai.agent.description': 'An open agent for the terminal, driven by a language model.',
    'gen_ai.conversation.id': sessionId,
  };
}

const MAX_LENGTH = 10_000;

/** Keeps the beginning of a long text. Redact first: a cut secret no longer matches its pattern. */
export function truncated(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const head = headOf(text, MAX_LENGTH);
  return `${head}...[${text.length - head.length} characters cut]`;
}

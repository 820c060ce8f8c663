/**
 * A server asks for an answer of the model. The user sees every request and decides; a headless run answers only where
 * a rule names this request. A rule for all tools of a server is not enough: the answer costs money and leaves with the
 * server.
 */
import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client';
import { UserError } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import type { EventStream } from '../../bus/event-stream.js';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import type { Message, Part } from '../../protocol/messages.js';
import { oneAtATime } from './one-at-a-time.js';

/** The name of the request in policy rules, together with `mcpName`. */
export const SAMPLING = 'sampling/createMessage';

export interface SamplingRequest {
  messages: Message[];
  systemInstruction?: string;
  maxTokens: number;
  temperature?: number;
  stopSequences?: string[];
}

export interface SamplingParts {
  isInteractive: boolean;
  events: Pick<EventStream, 'ask'>;
  /** What the policy says about this request of the server. */
  decide(serverName: string, signal: AbortSignal): Promise<PolicyDecision>;
  /** Whether a rule allows exactly this request of the server. */
  isNamedByRule(serverName: string): boolean;
  /** Counted and limited like every call of the model. */
  generate(
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<{ text: string; model: string; isCut: boolean }>;
}

class SamplingError extends UserError {
  override readonly name = 'SamplingError';
}

const MAX_MESSAGES = 200;
const MAX_CHARS = 400_000;
const MAX_OUTPUT = 32_768;

export function sampleHandler(parts: SamplingParts) {
  return oneAtATime(
    async (
      server: { name: string },
      params: CreateMessageRequestParams,
      signal: AbortSignal,
    ): Promise<CreateMessageResult> => {
      const request = readRequest(params);
      if (!(await isAllowed(parts, server.name, request, signal)))
        throw new SamplingError('The user did not allow this request.');
      const { text, model, isCut } = await parts.generate(request, signal);
      return {
        role: 'assistant',
        content: { type: 'text', text },
        model,
        stopReason: isCut ? 'maxTokens' : 'endTurn',
      };
    },
  );
}

async function isAllowed(
  { isInteractive, events, decide, isNamedByRule }: SamplingParts,
  serverName: string,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const decision = await decide(serverName, signal);
  if (decision === PolicyDecision.DENY) return false;
  if (!isInteractive) return decision === PolicyDecision.ALLOW && isNamedByRule(serverName);
  const { systemInstruction, messages, maxTokens } = request;
  const args = {
    ...(systemInstruction !== undefined && { systemPrompt: systemInstruction }),
    messages: messages.map(({ role, parts }) => `${role}: ${parts.map(shownPart).join('\n')}`),
    maxTokens,
  };
  const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
  const reply = await events.ask(
    {
      kind: 'tool_confirmation',
      toolName: SAMPLING,
      args,
      serverName,
      details: {
        type: 'mcp',
        title: 'An MCP server asks the model',
        serverName,
        toolName: SAMPLING,
        toolDisplayName: 'Ask the model, and give its answer to the server',
        toolArgs: args,
        offeredOutcomes: [ProceedOnce, Cancel],
        onlyOnce: true,
      },
    },
    { signal },
  );
  return reply.status === 'answered' && reply.answer.outcome === ProceedOnce;
}

function readRequest({
  messages,
  systemPrompt,
  maxTokens,
  temperature,
  stopSequences,
}: CreateMessageRequestParams): SamplingRequest {
  if (messages.length === 0 || messages.length > MAX_MESSAGES)
    throw new SamplingError('The request has no messages, or too many.');
  const read = messages.map(
    ({ role, content }): Message => ({
      role: role === 'assistant' ? 'model' : 'user',
      origin: role === 'assistant' ? 'model' : 'prompt',
      parts: (Array.isArray(content) ? content : [content]).map(toPart),
    }),
  );
  const size = read.flatMap(({ parts }) => parts).reduce((sum, { text = '' }) => sum + text.length, 0);
  if (size + (systemPrompt?.length ?? 0) > MAX_CHARS) throw new SamplingError('The request is too large.');
  return {
    messages: read,
    ...(systemPrompt && { systemInstruction: systemPrompt }),
    maxTokens: Math.min(Math.max(1, Math.floor(maxTokens)), MAX_OUTPUT),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences && { stopSequences: stopSequences.slice(0, 5) }),
  };
}

function toPart(block: unknown): Part {
  const { type, text, data, mimeType } = isObject(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return { text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return { inlineData: { mimeType, data } };
  throw new SamplingError('Only text, images and audio can be sent to the model.');
}

function shownPart({ text, inlineData }: Part): string {
  return text ?? `[${inlineData?.mimeType ?? 'data'}]`;
}

/** Forms of MCP servers, filled in by the client's user. */
import type { ElicitationPropertySchema } from '@agentclientprotocol/sdk';
import type { ElicitationAnswer, ElicitationQuestion, FormField, FormValue } from '@gemini-cli/core';
import type { ClientPort } from './client-port.js';

/** @returns undefined for what a client without addresses cannot show */
export async function answerElicitation(
  { context, sessionId }: ClientPort,
  question: ElicitationQuestion,
  signal: AbortSignal,
): Promise<ElicitationAnswer | undefined> {
  if (question.mode !== 'form') return undefined;
  const { fields, message, serverName } = question;
  const response = await context.request(
    'elicitation/create',
    {
      sessionId,
      mode: 'form',
      message: `${serverName}: ${message}`,
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
        required: fields.filter(({ required }) => required).map(({ name }) => name),
      },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (response.action === 'accept') {
    const { content } = response;
    return { action: 'accept', content: (content ?? {}) as Record<string, FormValue> };
  }
  return { action: response.action === 'decline' ? 'decline' : 'cancel' };
}

function schemaOf(field: FormField): ElicitationPropertySchema {
  const { title, description } = field;
  const common = { title, ...(description !== undefined && { description }) };
  switch (field.type) {
    case 'text': {
      const { format, minLength, maxLength, initial } = field;
      return { type: 'string', ...common, format, minLength, maxLength, default: initial };
    }
    case 'number': {
      const { isInteger, minimum, maximum, initial } = field;
      return { type: isInteger ? 'integer' : 'number', ...common, minimum, maximum, default: initial };
    }
    case 'boolean':
      return { type: 'boolean', ...common, default: field.initial };
    case 'choice':
      return { type: 'string', ...common, oneOf: titled(field.options), default: field.initial };
    case 'choices': {
      const { options, minItems, maxItems, initial } = field;
      return {
        type: 'array',
        ...common,
        items: { anyOf: titled(options) },
        minItems,
        maxItems,
        default: initial,
      };
    }
  }
}

function titled(options: readonly { value: string; label: string }[]) {
  return options.map(({ value, label }) => ({ const: value, title: label }));
}

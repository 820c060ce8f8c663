/** Reads and replaces the text of a tool response. */
import type { FunctionResponse, Part } from '../../protocol/messages.js';

/** The output if it is the only field, otherwise all fields as JSON. */
export function textOfResponse({ response }: FunctionResponse): string {
  const { output } = response;
  const isOnlyOutput = typeof output === 'string' && Object.keys(response).length === 1;
  return isOnlyOutput ? output : JSON.stringify(response, undefined, 2);
}

/** The same response with another text; a short error message is kept. */
export function withResponseText(part: Part, text: string): Part {
  const { functionResponse } = part;
  if (!functionResponse) return part;
  const { error } = functionResponse.response;
  const keepsError = typeof error === 'string' && error.length <= 1_000;
  const response = { output: text, ...(keepsError && { error }) };
  return { ...part, functionResponse: { ...functionResponse, response } };
}

/** A tool's result as the parts that go back to the model. */

import { CANCELLED } from '../../base/unrun-calls.js';
import { type Part, toParts } from '../../protocol/messages.js';
import type { ToolCallRequest, ToolCallResponse } from '../../protocol/tool-calls.js';
import type { ToolResultDisplay } from '../../protocol/tool-display.js';
import { READ_FILE, READ_MANY_FILES } from '../../protocol/tool-names.js';
import type { ToolResult } from '../../tools/tools.js';

/** @param isOfServer a tool of an MCP server: it may return audio and video */
export function successResponse(
  request: ToolCallRequest,
  result: ToolResult,
  isOfServer = false,
): ToolCallResponse {
  const parts = toParts(result.llmContent);
  const texts = parts.flatMap((part) => (part.text === undefined ? [] : [part.text]));
  const media = parts.filter((part) => part.inlineData ?? part.fileData);
  const documents = media.filter((part) => !isAudioOrVideo(part));
  const recordings = media.filter(isAudioOrVideo);
  const keepRecordings = isOfServer || request.name === READ_FILE || request.name === READ_MANY_FILES;
  if (media.length > 0 && texts.length === 0)
    texts.push(`Binary content provided (${media.length} item(s)).`);
  if (recordings.length > 0) {
    texts.push(
      keepRecordings
        ? 'The audio or video follows this response.'
        : 'Audio or video in the result was left out: this tool cannot return it.',
    );
  }
  const response: Part = {
    functionResponse: {
      id: request.callId,
      name: request.name,
      response: { output: texts.join('\n') },
      ...(documents.length > 0 && { parts: documents }),
    },
  };
  return {
    callId: request.callId,
    responseParts: keepRecordings ? [response, ...recordings] : [response],
    resultDisplay: result.returnDisplay,
    data: result.data,
  };
}

export function failureResponse(
  request: ToolCallRequest,
  message: string,
  type: string,
  result?: ToolResult,
): ToolCallResponse {
  return {
    callId: request.callId,
    responseParts: [responsePart(request, { error: message })],
    resultDisplay: result?.returnDisplay ?? message,
    error: { message: result?.error?.shown ?? message, type },
    data: result?.data,
  };
}

export function cancelledResponse(
  request: ToolCallRequest,
  reason: string,
  partial?: { output: string; display: ToolResultDisplay },
): ToolCallResponse {
  const error = `${CANCELLED} ${reason}`;
  const { output, display } = partial ?? {};
  return {
    callId: request.callId,
    responseParts: [responsePart(request, { error, ...(output && { output }) })],
    resultDisplay: display || reason,
    error: { message: error },
  };
}

function responsePart(request: ToolCallRequest, response: Record<string, unknown>): Part {
  return { functionResponse: { id: request.callId, name: request.name, response } };
}

function isAudioOrVideo(part: Part): boolean {
  return /^(audio|video)\//.test(part.inlineData?.mimeType ?? part.fileData?.mimeType ?? '');
}

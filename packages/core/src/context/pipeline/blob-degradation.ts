/** Replaces images and documents of earlier prompts by a line of text. */
import type { Part } from '../../protocol/messages.js';
import type { ContextNode } from '../graph/context-graph.js';
import { textOfResponse, withResponseText } from '../masking/tool-response-text.js';
import { type NodeAge, type NodeProcessor, replaceNode } from './processor.js';

export class BlobDegradationProcessor implements NodeProcessor {
  process(node: ContextNode, age: NodeAge): ContextNode {
    if (!age.isBeforeLatestPrompt) return node;
    const { payload } = node;
    if (payload.inlineData) return replaceNode(node, { text: stub(payload) });
    const media = payload.functionResponse?.parts?.filter(({ inlineData }) => inlineData) ?? [];
    return media.length > 0 ? replaceNode(node, withoutMedia(payload, media)) : node;
  }
}

function withoutMedia(part: Part, media: readonly Part[]): Part {
  const { functionResponse } = part;
  if (!functionResponse) return part;
  const text = [textOfResponse(functionResponse), ...media.map(stub)].join('\n');
  const rest = functionResponse.parts?.filter((item) => !media.includes(item)) ?? [];
  const { parts: _media, ...bare } = functionResponse;
  const shorter = { ...part, functionResponse: { ...bare, ...(rest.length > 0 && { parts: rest }) } };
  return withResponseText(shorter, text);
}

function stub({ inlineData }: Part): string {
  const kilobytes = Math.ceil(((inlineData?.data.length ?? 0) * 3) / 4 / 1024);
  return `[${inlineData?.mimeType ?? 'media'}, ${kilobytes} kB: seen earlier, no longer attached; read the file again if it is needed]`;
}

/** Only the latest snapshot of a page is of use: earlier ones in the history become a line, so that they cost nothing. */
import { isObject } from '../../base/objects.js';
import type { Message, Part } from '../../protocol/messages.js';
import type { AgentConversation } from '../types.js';
import { SNAPSHOT_HEADING } from './response.js';

const SNAPSHOT = new RegExp(
  `${SNAPSHOT_HEADING}\\n<untrusted_context>\\n[\\s\\S]*?\\n</untrusted_context>`,
  'g',
);
export const PLACEHOLDER = `${SNAPSHOT_HEADING}\n[An older snapshot, left out. Call take_snapshot for the page as it is now.]`;

export function replaceOldSnapshots(conversation: AgentConversation): void {
  const history = conversation.read();
  const last = conversation.next.parts.some(hasSnapshot)
    ? history.length
    : history.findLastIndex((content) => content.parts.some(hasSnapshot));
  const isOld = (content: Message, at: number) => at < last && content.parts.some(hasSnapshot);
  if (!history.some(isOld)) return;
  conversation.replace(
    history.map((content, at) =>
      isOld(content, at) ? { ...content, parts: content.parts.map(withoutSnapshot) } : content,
    ),
  );
}

function hasSnapshot(part: Part): boolean {
  return textIn(part)?.match(SNAPSHOT) != null;
}

function withoutSnapshot(part: Part): Part {
  const text = textIn(part);
  if (text === undefined || !part.functionResponse) return part;
  const response = { ...part.functionResponse.response, output: text.replace(SNAPSHOT, PLACEHOLDER) };
  return { ...part, functionResponse: { ...part.functionResponse, response } };
}

function textIn({ functionResponse }: Part): string | undefined {
  const output = isObject(functionResponse?.response) ? functionResponse.response['output'] : undefined;
  return typeof output === 'string' ? output : undefined;
}

/** Parts of messages and artifacts as text for the model. Files are named, never opened. */
import type { Part } from '@a2a-js/sdk';
import { objectOf } from '../../../base/objects.js';
import { oneLine } from '../card/describe-card.js';

const NAME_CHARS = 200;
const URL_CHARS = 2_000;

/** Each part on lines of its own. */
export function partsText(parts: readonly Part[] | undefined, limit: number): string {
  return joined(parts, limit, () => false);
}

/** Texts that follow each other belong together: artifacts are streamed in pieces. */
export function streamedText(parts: readonly Part[] | undefined, limit: number): string {
  return joined(parts, limit, (part, before) => isText(part) && isText(before));
}

/** Whether it must begin a line. */
export function isText(part: Part | undefined): boolean {
  return part?.content?.$case === 'text';
}

function joined(
  parts: readonly Part[] = [],
  limit: number,
  continues: (part: Part, before: Part | undefined) => boolean,
): string {
  let text = '';
  let before: Part | undefined;
  for (const part of parts) {
    const next = partText(part);
    if (!next) continue;
    text += text && !continues(part, before) ? `\n${next}` : next;
    before = part;
    if (text.length > limit) break;
  }
  return text.slice(0, limit);
}

function partText({ content, filename, mediaType }: Part): string {
  switch (content?.$case) {
    case 'text':
      return content.value;
    case 'data':
      return approvalText(content.value) ?? JSON.stringify(content.value, undefined, 2) ?? '';
    case 'url':
      return `[${fileName(filename, mediaType)}: ${oneLine(content.value, URL_CHARS)}]`;
    case 'raw':
      return `[${fileName(filename, mediaType)}, ${content.value.length} bytes, not shown]`;
    default:
      return '';
  }
}

/** A server of this program asks before it runs a tool; the answer goes through the approval of `invoke_agent`. */
function approvalText(value: unknown): string | undefined {
  const { status, request, confirmationDetails } = objectOf(value);
  if (status !== 'awaiting_approval') return undefined;
  const { callId, name, args } = objectOf(request);
  if (typeof callId !== 'string' || typeof name !== 'string') return undefined;
  const answer = (outcome: string) => JSON.stringify({ callId, outcome });
  const change = objectOf(confirmationDetails)['fileDiff'];
  return [
    `It asks for permission to run ${oneLine(name, NAME_CHARS)} with ${JSON.stringify(args)}`,
    ...(typeof change === 'string' ? [change] : []),
    `To allow it once, the prompt is ${answer('proceed_once')}; to refuse, ${answer('cancel')}`,
  ].join('\n');
}

function fileName(name: string, type: string): string {
  const label = oneLine(name, NAME_CHARS) || 'without a name';
  return type ? `file ${label} (${oneLine(type, NAME_CHARS)})` : `file ${label}`;
}

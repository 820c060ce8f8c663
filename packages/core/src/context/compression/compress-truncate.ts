/** Old, large tool responses shrink to their ends; the whole text goes to a file. */
import { endsOf } from '../../platform/storage/saved-output.js';
import type { Message, Part } from '../../protocol/messages.js';
import { textOfResponse, withResponseText } from '../masking/tool-response-text.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';

/** Tokens of the newest responses that stay whole. */
const BUDGET_TOKENS = 50_000;
/** Characters an older response may have. */
const LIMIT = 8_000;
const HEAD_SHARE = 0.2;

/** The same array when nothing had to shrink. */
export function truncateOldResponses(
  messages: readonly Message[],
  estimator: TokenEstimator,
  store: OutputStore,
): readonly Message[] {
  let spent = 0;
  let changed: Message[] | undefined;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    let parts: Part[] | undefined;
    for (const [position, part] of message.parts.entries()) {
      if (!part.functionResponse) continue;
      spent += estimator.part(part);
      const shorter = spent > BUDGET_TOKENS ? shorten(part, store) : undefined;
      if (shorter) parts = (parts ?? message.parts).with(position, shorter);
    }
    if (!parts) continue;
    changed ??= [...messages];
    changed[index] = { ...message, parts };
  }
  return changed ?? messages;
}

function shorten(part: Part, store: OutputStore): Part | undefined {
  const { functionResponse } = part;
  if (!functionResponse) return undefined;
  const text = textOfResponse(functionResponse);
  // Our own shortened form is a little longer than the limit and must not shrink again and again.
  if (text.length <= LIMIT * 1.25) return undefined;
  const path = store.save(text, functionResponse.name, functionResponse.id ?? 'truncated');
  if (path === undefined) return undefined;
  const headLength = Math.floor(LIMIT * HEAD_SHARE);
  const { head, tail } = endsOf(text, headLength, LIMIT - headLength);
  const omitted = text.length - head.length - tail.length;
  return withResponseText(
    part,
    `${head}\n\n... [${omitted} characters of this older output omitted; all of it is in ${path}] ...\n\n${tail}`,
  );
}

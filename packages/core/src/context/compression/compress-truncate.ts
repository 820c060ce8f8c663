/** Shortens old, large tool responses to their beginning and end; the whole text goes to a file. */
import { endsOf } from '../../base/cut-text.js';
import type { Message, Part } from '../../protocol/messages.js';
import { ACTIVATE_SKILL } from '../../protocol/tool-names.js';
import { textOfResponse, withResponseText } from '../masking/tool-response-text.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';

/** The newest responses up to this size stay whole. */
const BUDGET_TOKENS = 50_000;
/** Maximum characters of an older response. */
const LIMIT = 8_000;
const HEAD_SHARE = 0.2;

/** The same array when nothing was shortened. */
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
      // The instructions of a skill stay binding.
      if (!part.functionResponse || part.functionResponse.name === ACTIVATE_SKILL) continue;
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
  // A shortened response is a little longer than the limit and must not be shortened again.
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

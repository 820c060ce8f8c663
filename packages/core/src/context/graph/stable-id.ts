/** Makes ids of turns and parts that stay the same when the same history is read again. */
import type { Content, Part } from '../../protocol/messages.js';

/** Ids by object: an object keeps its id. */
export type NodeIdentityMap = WeakMap<object, string>;

/** Position of a whole turn, as opposed to one of its parts. */
export const WHOLE_TURN = -1;

/** @param position index of the part in its turn, or -1 for the turn itself */
export function getStableId(
  item: Content | Part,
  nodeIdentityMap: NodeIdentityMap,
  turnSalt: string,
  position: number,
): string {
  const known = nodeIdentityMap.get(item);
  if (known !== undefined) return known;
  const id = position === WHOLE_TURN ? `turn_${turnSalt}` : partId(item as Part, `${turnSalt}_${position}`);
  nodeIdentityMap.set(item, id);
  return id;
}

/** The first half of a turn's salt: MD5 of role and parts. */
export function turnHash({ role, parts }: Content): string {
  return digest('md5', `${role}:${JSON.stringify(parts)}`);
}

function partId(part: Part, place: string): string {
  const { functionCall, functionResponse } = part;
  if (functionCall)
    return functionCall.id ? `call_${functionCall.id}` : `call_h_${hashed(functionCall, place)}`;
  if (functionResponse) {
    return functionResponse.id ? `resp_${functionResponse.id}` : `resp_h_${hashed(functionResponse, place)}`;
  }
  if (part.inlineData) return `media_${hashed(part.inlineData, place)}`;
  if (part.fileData) return `file_${hashed(part.fileData, place)}`;
  if (part.executableCode) return `exec_${hashed(part.executableCode, place)}`;
  if (part.codeExecutionResult) return `result_${hashed(part.codeExecutionResult, place)}`;
  return `text_${hashed(part.text ?? '', place)}`;
}

function hashed(payload: unknown, place: string): string {
  return `${digest('sha256', typeof payload === 'string' ? payload : JSON.stringify(payload))}_${place}`;
}

function digest(algorithm: string, text: string): string {
  // Loaded here: most sessions never need an id.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash(algorithm).update(text).digest('hex');
}

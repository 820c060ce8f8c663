/**
 * Responses come from servers, gateways and recorded files: values without the documented type are removed here,
 * once, so that the rest of the program can rely on `GenerateResponse`. Gateways often send `null`.
 */
import { isObject } from '../../base/objects.js';
import type { GenerateResponse } from '../content-generator.js';

type Fields = Record<string, unknown>;

/** The same object without values of the wrong type. Undefined: not a response at all. */
export function checkResponse(value: unknown): GenerateResponse | undefined {
  if (!isObject(value)) return undefined;
  keepList(value, 'candidates');
  const candidate = (value['candidates'] as Fields[] | undefined)?.[0];
  if (candidate) checkCandidate(candidate);
  keep(value, 'promptFeedback', isObject);
  keep(value, 'modelVersion', isText);
  keep(value, 'usageMetadata', isObject);
  const usage = value['usageMetadata'] as Fields | undefined;
  for (const key in usage) if (key.endsWith('TokenCount')) keep(usage, key, Number.isFinite);
  return value;
}

function checkCandidate(candidate: Fields): void {
  keep(candidate, 'finishReason', isText);
  keep(candidate, 'content', isObject);
  const content = candidate['content'] as Fields | undefined;
  if (content) {
    keepList(content, 'parts');
    const parts = content['parts'] as Fields[] | undefined;
    parts?.forEach(checkPart);
    if (parts?.some(isEmpty)) content['parts'] = parts.filter((part) => !isEmpty(part));
  }
  keep(candidate, 'citationMetadata', isObject);
  const citations = candidate['citationMetadata'] as Fields | undefined;
  if (citations) keepList(citations, 'citations');
}

function checkPart(part: Fields): void {
  keep(part, 'text', isText);
  keep(part, 'thoughtSignature', isText);
  keep(part, 'functionCall', isObject);
  const call = part['functionCall'] as Fields | undefined;
  if (!call) return;
  keep(call, 'name', isText);
  keep(call, 'id', isText);
}

function keep(fields: Fields, key: string, fits: (value: unknown) => boolean): void {
  if (fields[key] !== undefined && !fits(fields[key])) delete fields[key];
}

/** A list of objects; other items are removed. */
function keepList(fields: Fields, key: string): void {
  keep(fields, key, Array.isArray);
  const list = fields[key] as unknown[] | undefined;
  if (list && !list.every(isObject)) fields[key] = list.filter(isObject);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isEmpty(part: Fields): boolean {
  for (const key in part) if (part[key] !== null) return false;
  return true;
}

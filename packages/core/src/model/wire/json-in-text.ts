/** Finds JSON in a model's text: bare, in a fence, or inside prose. */
import { fencedBlocks } from '../../base/markdown-fences.js';
import { isObject } from '../../base/objects.js';

export interface FoundJson {
  value: unknown;
  /** The original text: numbers keep their digits. */
  text: string;
}

/** Limit for texts full of brackets, which would take too long. */
const MAX_CANDIDATES = 1000;

/** The whole text if it is one JSON value; else the content of its fences; else JSON inside the prose. */
export function jsonIn(text: string): FoundJson[] {
  const whole = parse(text);
  if (whole) return [whole];
  const fenced = fencedBlocks(text).flatMap(({ content, isClosed }) => (isClosed && parse(content)) || []);
  return fenced.length > 0 ? fenced : inProse(text);
}

/** The first JSON object in the text. */
export function firstObjectIn(text: string): Record<string, unknown> | undefined {
  return jsonIn(text)
    .map(({ value }) => value)
    .find(isObject);
}

function parse(text: string): FoundJson | undefined {
  const trimmed = text.trim();
  try {
    return { value: JSON.parse(trimmed), text: trimmed };
  } catch {
    return undefined;
  }
}

/** Objects and arrays inside prose. A part of a broken or cut value does not count. */
function inProse(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  const starts = /[{[]/g;
  for (let count = 0; count < MAX_CANDIDATES; count++) {
    const start = starts.exec(text)?.index;
    const end = start === undefined ? undefined : endOf(text, start);
    if (end === undefined) break;
    const json = parse(text.slice(start, end));
    if (json) found.push(json);
    starts.lastIndex = end;
  }
  return found;
}

/** Position after the bracket that closes the one at `start`. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const letter = text[index];
    if (inString) {
      if (letter === '\\') index++;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === '{' || letter === '[') depth++;
    else if ((letter === '}' || letter === ']') && --depth === 0) return index + 1;
  }
  return undefined;
}

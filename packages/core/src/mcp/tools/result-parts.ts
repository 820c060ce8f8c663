/** Turns the result of a tool call into parts for the model and text for the user. Everything of it is untrusted. */
import { cleanBase64 } from '../../base/base64.js';
import { endsOf } from '../../base/cut-text.js';
import { isObject } from '../../base/objects.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { Part } from '../../protocol/messages.js';

export interface ConvertedResult {
  parts: Part[];
  display: string;
  isError: boolean;
}

const MAX_DISPLAY = 100_000;
const BINARY = 'application/octet-stream';

export function convertResult(result: unknown, toolName: string): ConvertedResult {
  const value = isObject(result) ? result : {};
  // Some servers send the text "true".
  const isError = value['isError'] === true || value['isError'] === 'true';
  const blocks = Array.isArray(value['content']) ? value['content'] : [];
  const structured = value['structuredContent'];
  if (blocks.length === 0 && structured !== undefined) {
    const json = JSON.stringify(structured, null, 2);
    return { parts: [{ text: wrapUntrusted(json) }], display: shortened(json), isError };
  }
  const converted = blocks.map((block) => convertBlock(block, toolName));
  const parts = converted.flatMap(({ parts }) => parts);
  return {
    parts: parts.length > 0 ? joinTexts(parts) : [{ text: '(The tool returned no content.)' }],
    display: shortened(converted.map(({ display }) => display).join('\n')),
    isError,
  };
}

/** For the user and the record of the session; the whole text is saved in a file of its own. */
function shortened(text: string): string {
  if (text.length <= MAX_DISPLAY) return text;
  const { head, tail } = endsOf(text, MAX_DISPLAY / 2, MAX_DISPLAY / 2);
  const omitted = text.length - head.length - tail.length;
  return `${head}\n\n... [${omitted} characters omitted] ...\n\n${tail}`;
}

/** `structuredContent`, or what the first text would be as such. */
export function structuredContentOf(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  const [first] = Array.isArray(result['content']) ? result['content'] : [];
  if (!isObject(first) || first['type'] !== 'text' || typeof first['text'] !== 'string') return undefined;
  if (!/^\s*[[{]/.test(first['text'])) return undefined;
  try {
    const parsed: unknown = JSON.parse(first['text']);
    return isObject(parsed) || Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

interface Converted {
  parts: Part[];
  display: string;
}

function convertBlock(block: unknown, toolName: string): Converted {
  if (!isObject(block)) return unknownBlock(typeof block);
  const { type } = block;
  if (type === 'text') return textBlock(block['text']);
  if (type === 'image' || type === 'audio') {
    const mimeType = textOr(block['mimeType'], type === 'image' ? 'image/png' : 'audio/wav');
    return {
      parts: data(toolName, type, mimeType, block['data']),
      display: `[${type === 'image' ? 'Image' : 'Audio'}: ${mimeType}]`,
    };
  }
  if (type === 'resource')
    return resourceBlock(isObject(block['resource']) ? block['resource'] : {}, toolName);
  if (type === 'resource_link') {
    const name = textOr(block['title'], textOr(block['name'], 'resource'));
    const uri = textOr(block['uri'], '');
    return {
      parts: [{ text: wrapUntrusted(`Resource Link: ${name} at ${uri}`) }],
      display: `[Link to ${name}: ${uri}]`,
    };
  }
  return unknownBlock(textOr(type, 'none'));
}

function textBlock(value: unknown): Converted {
  const text = textOr(value, '');
  return { parts: [{ text: wrapUntrusted(text) }], display: text };
}

function resourceBlock(resource: Record<string, unknown>, toolName: string): Converted {
  if (typeof resource['text'] === 'string') return textBlock(resource['text']);
  const mimeType = textOr(resource['mimeType'], BINARY);
  return {
    parts: data(toolName, 'embedded resource', mimeType, resource['blob']),
    display: `[Embedded Resource: ${mimeType}]`,
  };
}

function data(toolName: string, kind: string, mimeType: string, content: unknown): Part[] {
  const label = {
    text: `[Tool '${toolName}' provided the following ${kind} data with mime-type: ${mimeType}]`,
  };
  const base64 = typeof content === 'string' ? cleanBase64(content) : '';
  return base64 === '' ? [label] : [label, { inlineData: { mimeType, data: base64 } }];
}

function unknownBlock(type: string): Converted {
  return { parts: [], display: `[Unknown content type: ${type}]` };
}

/** Neighbouring texts become one part, so that output limits see the whole text. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.text !== undefined && part.text !== undefined)
      joined[joined.length - 1] = { text: `${last.text}\n${part.text}` };
    else joined.push(part);
  }
  return joined;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

/**
 * Small models write tool calls as text. Such an answer becomes a call only if the whole text is one, complete,
 * for a declared tool and with arguments that this tool takes; anything else stays text.
 */
import { isObject } from '../../base/objects.js';
import type { FunctionCall } from '../../protocol/messages.js';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import { wireName } from './names.js';

type Fields = Record<string, unknown>;

/** Characters needed to recognise the format. */
const DECIDE_AT = 48;
/** Longer text is never treated as a call. */
const HOLD_LIMIT = 256 * 1024;
const START =
  /^(<tool_call>|```(json|tool_call|tool_code|xml)?\s*[{[<]|[{[]\s*\{?\s*"(name|tool|tool_name|function|type|id|arguments|parameters)"|\[TOOL_CALLS\]|<\|python_tag\|>|<function=)/;

/** Holds text back while it may be a call. */
export class TextGate {
  private held: string[] = [];
  private size = 0;
  private isOpen = false;
  private isDecided = false;

  constructor(private readonly tools: readonly FunctionDeclaration[]) {
    this.isOpen = tools.length === 0;
  }

  /** The text that can be shown now. */
  add(text: string): string {
    if (this.isOpen) return text;
    this.held.push(text);
    this.size += text.length;
    if (this.isDecided && this.size <= HOLD_LIMIT) return '';
    const start = this.held.join('').trimStart();
    if (start === '') return this.size > DECIDE_AT * 10 ? this.release() : '';
    if (/^[<`{[]/.test(start) && start.length < DECIDE_AT) return '';
    this.isDecided = START.test(start);
    return this.isDecided && this.size <= HOLD_LIMIT ? '' : this.release();
  }

  /** Everything held, as text. */
  release(): string {
    this.isOpen = true;
    const text = this.held.join('');
    this.held = [];
    return text;
  }

  /** The calls in the held text; undefined if it is plain text. */
  calls(): FunctionCall[] | undefined {
    return this.isOpen || this.size === 0 ? undefined : parseTextCalls(this.held.join(''), this.tools);
  }
}

export function parseTextCalls(
  text: string,
  tools: readonly FunctionDeclaration[],
): FunctionCall[] | undefined {
  const bodies = callBodies(text.trim());
  const calls = bodies?.map((body) => parseBody(body, tools));
  return calls?.length && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
}

/** The pieces, each a call or a list of calls. */
function callBodies(text: string): string[] | undefined {
  const fenced = contentOfFence(text);
  if (fenced !== undefined) return fenced.includes('```') ? undefined : callBodies(fenced);
  if (text.startsWith('<tool_call>')) return tagged(text);
  const marked = /^(?:\[TOOL_CALLS\]|<\|python_tag\|>)\s*([\s\S]*?)(?:<\|e(?:om|ot)_id\|>|<\/s>)?$/.exec(
    text,
  )?.[1];
  return [marked ?? text];
}

/** Not one regular expression: it would backtrack for minutes in a text full of blanks. */
function contentOfFence(text: string): string | undefined {
  const start = /^```(?:json|tool_call|tool_code|xml)?/.exec(text)?.[0];
  if (start === undefined || !text.endsWith('```') || text.length < start.length + 3) return undefined;
  return text.slice(start.length, -3).trim();
}

/** One or more `<tool_call>…</tool_call>`; the last closing tag is often missing. */
function tagged(text: string): string[] | undefined {
  const pieces = text.split('<tool_call>').slice(1);
  const bodies: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    const end = piece.indexOf('</tool_call>');
    if (end < 0 && index < pieces.length - 1) return undefined;
    if (end >= 0 && piece.slice(end + '</tool_call>'.length).trim() !== '') return undefined;
    bodies.push((end < 0 ? piece : piece.slice(0, end)).trim());
  }
  return bodies;
}

function parseBody(body: string, tools: readonly FunctionDeclaration[]): FunctionCall[] | undefined {
  if (body.startsWith('<function=')) return parseFunctionTag(body, tools);
  const [, named, rest] = /^([\w.-]+)\[ARGS\]([\s\S]*)$/.exec(body) ?? [];
  if (named !== undefined) return one(named, parseJson(rest ?? ''), tools);
  const value = parseJson(body);
  const list = Array.isArray(value) ? value : [value];
  const calls = list.map((item) => (isObject(item) ? callIn(item, tools) : undefined));
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input'];
/** Fields beside name and arguments that can be ignored. */
const EXTRA_KEYS = new Set(['id', 'type']);

function callIn(item: Fields, tools: readonly FunctionDeclaration[]): FunctionCall | undefined {
  const inner = item['function'];
  if (isObject(inner)) return callIn(inner, tools);
  const nameKey = NAME_KEYS.find((key) => typeof item[key] === 'string');
  if (!nameKey) return undefined;
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(item, key));
  const { [nameKey]: name, ...rest } = item;
  if (!argumentKey) return checkedCall(String(name), rest, tools);
  const isBare = Object.keys(rest).every((key) => key === argumentKey || EXTRA_KEYS.has(key));
  const given = rest[argumentKey];
  const args = typeof given === 'string' ? parseJson(given) : given;
  return isBare ? checkedCall(String(name), args, tools) : undefined;
}

/** `<function=name>{json}</function>`, or one `<parameter=key>` per argument. */
function parseFunctionTag(body: string, tools: readonly FunctionDeclaration[]): FunctionCall[] | undefined {
  const [, name = '', inner = ''] = /^<function=([\w.-]+)>([\s\S]*)<\/function>$/.exec(body) ?? [];
  const tool = toolNamed(name, tools);
  if (!tool) return undefined;
  if (!inner.includes('<parameter=')) return one(name, inner.trim() ? parseJson(inner) : {}, tools);
  const args: Fields = {};
  const pieces = inner.split('</parameter>');
  if (pieces.pop()?.trim() !== '') return undefined;
  for (const piece of pieces) {
    const [start, key = ''] = /^\s*<parameter=([\w.-]+)>\n?/.exec(piece) ?? [];
    if (start === undefined) return undefined;
    const value = piece.slice(start.length).replace(/\n$/, '');
    const type = tool.parametersJsonSchema.properties?.[key]?.type;
    args[key] = type === 'string' || type === undefined ? value : parseJson(value);
  }
  return one(name, args, tools);
}

function one(name: string, args: unknown, tools: readonly FunctionDeclaration[]): FunctionCall[] | undefined {
  const call = checkedCall(name, args, tools);
  return call && [call];
}

/** Every argument is known to the tool, and no required one is missing. */
function checkedCall(
  name: string,
  args: unknown,
  tools: readonly FunctionDeclaration[],
): FunctionCall | undefined {
  const tool = toolNamed(name, tools);
  if (!tool || !isObject(args)) return undefined;
  const { properties = {}, required = [] } = tool.parametersJsonSchema;
  const keys = Object.keys(args);
  if (!keys.every((key) => Object.hasOwn(properties, key) && args[key] !== undefined)) return undefined;
  return required.every((key) => Object.hasOwn(args, key)) ? { name: tool.name, args } : undefined;
}

function toolNamed(name: string, tools: readonly FunctionDeclaration[]): FunctionDeclaration | undefined {
  return tools.find((tool) => tool.name === name || wireName(tool.name) === name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

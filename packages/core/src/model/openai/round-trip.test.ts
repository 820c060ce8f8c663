/** Generated conversations: what we send obeys the protocol's rules, and what comes back is what was meant. */
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import { partsOf } from '../content-generator.js';
import type { Provider } from '../providers.js';
import { firstDialect } from './dialect.js';
import { ChatAccumulator } from './from-stream.js';
import { ChatRequestWriter } from './to-request.js';
import type { ChatMessage } from './wire.js';

const provider: Provider = {
  id: 'vllm',
  type: 'openai',
  baseUrl: new URL('http://localhost:8000/v1'),
  headers: {},
  supportsTools: true,
  supportsImages: true,
  isLocal: true,
};
const NAMES = ['read_file', 'mcp.server/tool', 'ünïcode tool', 'n'.repeat(90)];
const tools = NAMES.map((name) => ({
  name,
  description: name,
  parametersJsonSchema: { type: 'object' as const, properties: {} },
}));

describe.each(Array.from({ length: 150 }, (_, seed) => seed))('conversation %i', (seed) => {
  const random = numbers(seed);
  const messages = conversation(random);
  const request = { model: 'm', messages, tools, role: 'main', promptId: 'p' };
  const pieces = new ChatRequestWriter().write(request, provider, firstDialect(provider), true);
  const sent = (JSON.parse(Buffer.concat(pieces).toString('utf8')) as { messages: ChatMessage[] }).messages;

  it('is a valid request in which each call has one answer right after it, and roles alternate', () => {
    let open: string[] = [];
    let previous = '';
    for (const message of sent) {
      if (message.role === 'tool') expect(message.tool_call_id).toBe(open.shift());
      else {
        expect(open).toEqual([]);
        expect(message.role).not.toBe(previous);
      }
      if (message.role === 'assistant') open = (message.tool_calls ?? []).map(({ id }) => id);
      previous = message.role;
    }
    expect(open).toEqual([]);
  });

  it('comes back unchanged from a server that repeats it in any fragments', () => {
    const meant = modelRuns(messages);
    const heard = sent.flatMap((message) => (message.role === 'assistant' ? [echo(message, random)] : []));
    expect(heard).toEqual(meant);
  });
});

/** Text and calls of each uninterrupted run of the model. */
function modelRuns(messages: readonly Message[]) {
  const runs: { text: string; calls: { name: string; args: unknown }[] }[] = [];
  let isOpen = false;
  for (const { role, parts } of messages) {
    const visible = parts.filter((part) => !part.thought);
    if (visible.length === 0) continue;
    if (role === 'user') {
      isOpen = false;
      continue;
    }
    const text = visible.map((part) => part.text ?? '').join('');
    const calls = visible.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name, args: call.args }] : [],
    );
    const last = runs.at(-1);
    if (isOpen && last) {
      last.text = [last.text, text].filter(Boolean).join('\n\n');
      last.calls.push(...calls);
    } else runs.push({ text, calls });
    isOpen = true;
  }
  return runs;
}

/** The answer that a server streams when the model says exactly this message. */
function echo(message: ChatMessage & { role: 'assistant' }, random: Random) {
  const answer = new ChatAccumulator(provider.id, tools, (payload) => new Error(payload));
  const say = (delta: object, finish_reason: string | null = null) =>
    answer.add(JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] }));
  const chunks = fragments(message.content ?? '', random).flatMap((content) => say({ content }));
  const calls = message.tool_calls ?? [];
  for (const [index, { id, function: called }] of calls.entries()) {
    chunks.push(...say({ tool_calls: [{ index, id, function: { name: called.name, arguments: '' } }] }));
    for (const piece of fragments(called.arguments, random)) {
      chunks.push(...say({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  chunks.push(
    ...say({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    ...answer.add('[DONE]'),
    ...answer.finish(),
  );
  const parts = chunks.flatMap(partsOf);
  return {
    text: parts.map((part) => part.text ?? '').join(''),
    calls: parts.flatMap(({ functionCall: call }) => (call ? [{ name: call.name, args: call.args }] : [])),
  };
}

type Random = (below: number) => number;

function conversation(random: Random): Message[] {
  const messages: Message[] = [];
  for (let turns = 1 + random(6); turns > 0; turns--) {
    messages.push({ role: 'user', origin: 'prompt', parts: [{ text: words(random) }] });
    if (random(4) === 0) messages.push({ role: 'user', origin: 'context', parts: [{ text: words(random) }] });
    for (let rounds = random(4); rounds > 0; rounds--) messages.push(...round(random, messages.length));
    if (random(5) > 0) messages.push({ role: 'model', origin: 'model', parts: modelParts(random) });
  }
  return messages;
}

/** Calls and their answers: shuffled, some missing, some without ids, some for no call at all. */
function round(random: Random, number: number): Message[] {
  const calls = Array.from({ length: 1 + random(4) }, (_, index): Part => {
    const id =
      random(6) === 0 ? undefined : `${random(3) === 0 ? 'long '.repeat(12) : 'c'}${number}-${index}`;
    return { functionCall: { id, name: NAMES[random(NAMES.length)] ?? '', args: values(random) } };
  });
  const answers = calls
    .filter(() => random(8) > 0)
    .map(({ functionCall: call }): Part => {
      const response = random(3) === 0 ? { error: words(random) } : { output: words(random) };
      return { functionResponse: { id: call?.id, name: call?.name ?? '', response } };
    });
  if (random(3) === 0) answers.reverse();
  if (random(9) === 0) answers.push({ functionResponse: { id: 'stray', name: 'x', response: { a: 1 } } });
  const model: Message = { role: 'model', origin: 'model', parts: [...modelParts(random), ...calls] };
  const user: Message = { role: 'user', origin: 'tool_response', parts: answers };
  return answers.length > 0 ? [model, user] : [model];
}

function modelParts(random: Random): Part[] {
  const thought: Part[] = random(2) ? [{ text: words(random), thought: true }] : [];
  return [...thought, { text: words(random) }];
}

const WORDS = [
  'read',
  'größe',
  '漢字',
  '🎉',
  '"quoted"',
  '\\',
  '{"name":',
  '\n',
  '```json',
  '<tool_call>',
  '\u0000',
];

function words(random: Random): string {
  return `t${Array.from({ length: 1 + random(8) }, () => WORDS[random(WORDS.length)]).join(' ')}`;
}

function values(random: Random, depth = 0): Record<string, unknown> {
  const entries = Array.from({ length: random(4) }, (_, index): [string, unknown] => {
    const kind = random(depth < 2 ? 6 : 4);
    const simple = [words(random), random(1000) / 7, random(2) === 0, null][kind];
    return [
      `k${index}`,
      kind < 4 ? simple : kind === 4 ? values(random, depth + 1) : [words(random), random(9)],
    ];
  });
  return Object.fromEntries(entries);
}

function fragments(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const size = 1 + random(12);
    pieces.push(text.slice(start, start + size));
    start += size;
  }
  return pieces;
}

/** The same numbers for the same seed. */
function numbers(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b9;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

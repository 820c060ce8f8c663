import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/messages.js';
import { RequestWriter as AnthropicWriter } from '../anthropic/to-request.js';
import type { GenerateRequest } from '../content-generator.js';
import { RequestWriter as GeminiWriter } from '../gemini/to-request.js';
import { ChatRequestWriter as OpenAiWriter } from '../openai/to-request.js';
import { wireJson } from './wire-json.js';

const HALF = '\ud83d';
const messages: Message[] = [
  { role: 'user', origin: 'prompt', parts: [{ text: `prompt ${HALF}` }] },
  {
    role: 'model',
    origin: 'model',
    parts: [{ functionCall: { id: 'a', name: 'look', args: { path: `call ${HALF}` } } }],
  },
  {
    role: 'user',
    origin: 'tool_response',
    parts: [{ functionResponse: { id: 'a', name: 'look', response: { output: `${HALF} result` } } }],
  },
];
const request: GenerateRequest = {
  model: 'm',
  messages,
  systemInstruction: `system ${HALF}`,
  tools: [{ name: 'look', description: `tool ${HALF}`, parametersJsonSchema: { type: 'object' } }],
  role: 'main',
  promptId: 'p',
};
const provider = { id: 'x', supportsImages: true } as never;
const dialect = { tools: true } as never;

it.each([
  ['the Gemini API', () => new GeminiWriter().write(request)],
  [
    'the Messages API',
    () => new AnthropicWriter({ id: 'a', supportsTools: true, supportsImages: true }).write(request),
  ],
  ['the chat completions API', () => new OpenAiWriter().write(request, provider, dialect, true)],
])('a request to %s holds no half of a surrogate pair, so that it is not refused', (_, write) => {
  const body = Buffer.concat(write()).toString();
  for (const word of ['prompt', 'call', 'system', 'tool']) expect(body).toContain(`${word} \ufffd`);
  expect(body).toContain('\ufffd result');
  expect(body).not.toMatch(/(?<!\\)(?:\\\\)*\\u/);
});

describe('JSON for a request', () => {
  it.each([
    ['whole characters', '😀 é \n "'],
    ['text that looks like an escape', '\\ud83d and \\\\ud83d'],
    ['other escapes', '\u0000 \\'],
  ])('leaves %s as they are', (_, text) => {
    expect(wireJson({ text })).toBe(JSON.stringify({ text }));
  });

  it.each([
    ['\ud83d', '\ufffd'],
    ['a\ude00\ud83d', 'a\ufffd\ufffd'],
    ['\\\ud83d', '\\\ufffd'],
    ['😀\ud83d😀', '😀\ufffd😀'],
  ])('replaces each half of a pair in %j', (text, written) => {
    expect(JSON.parse(wireJson({ [text]: [text] }))).toEqual({ [written]: [written] });
  });
});

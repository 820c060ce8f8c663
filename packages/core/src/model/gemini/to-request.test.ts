import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/messages.js';
import { toContents } from './to-request.js';

const prompt = (text: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text }] });
const call = (name: string, signature?: string): Message => ({
  role: 'model',
  origin: 'model',
  parts: [{ functionCall: { id: name, name, args: {} }, ...(signature && { thoughtSignature: signature }) }],
});
const response = (name: string): Message => ({
  role: 'user',
  origin: 'tool_response',
  parts: [{ functionResponse: { id: name, name, response: { output: 'x' } } }],
});

describe('toContents', () => {
  it('joins neighbours of one role and leaves thoughts out', () => {
    const context: Message = { role: 'user', origin: 'context', parts: [{ text: 'ctx' }] };
    const answer: Message = {
      role: 'model',
      origin: 'model',
      parts: [
        { text: 'hm', thought: true },
        { text: 'yes', thoughtSignature: 'sig' },
      ],
    };
    expect(toContents([context, prompt('hi'), answer], 'gemini-2.5-pro')).toEqual([
      { role: 'user', parts: [{ text: 'ctx' }, { text: 'hi' }] },
      { role: 'model', parts: [{ text: 'yes', thoughtSignature: 'sig' }] },
    ]);
  });

  it('gives the first unsigned call of each turn of the running loop a stand-in signature', () => {
    const history = [
      prompt('a'),
      call('old'),
      response('old'),
      prompt('b'),
      call('new'),
      response('new'),
      call('ok', 'sig'),
    ];
    const signatures = toContents(history, 'gemini-3-pro-preview')
      .flatMap((content) => content.parts)
      .filter((part) => part.functionCall)
      .map((part) => [part.functionCall?.name, part.thoughtSignature]);
    expect(signatures).toEqual([
      ['old', undefined],
      ['new', 'skip_thought_signature_validator'],
      ['ok', 'sig'],
    ]);
  });

  it('places media inside the response for Gemini 3 and beside it for older models', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    const bare = { id: '1', name: 'read_file', response: { output: 'x' } };
    const message: Message = {
      role: 'user',
      origin: 'tool_response',
      parts: [{ functionResponse: { ...bare, parts: [image] } }],
    };
    expect(toContents([message], 'gemini-3-pro-preview')[0]?.parts).toEqual(message.parts);
    expect(toContents([message], 'gemini-2.5-pro')[0]?.parts).toEqual([{ functionResponse: bare }, image]);
  });
});

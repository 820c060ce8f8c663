import type { Part } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { dataPart, textPart } from './events/event-factory.js';
import { readMessage } from './messages.js';

const read = (...parts: Part[]) => readMessage({ parts });

describe('a message of a client', () => {
  it('gives the model its texts, data, files and addresses', () => {
    const raw: Part = {
      content: { $case: 'raw', value: Buffer.from('abc') },
      mediaType: 'image/png',
      filename: 'a.png',
      metadata: undefined,
    };
    const url: Part = { ...raw, content: { $case: 'url', value: 'https://example.com/a' } };
    expect(read(textPart('look'), dataPart({ a: 1 }), raw, url).parts).toEqual([
      { text: 'look' },
      { text: '{"a":1}' },
      { inlineData: { mimeType: 'image/png', data: 'YWJj' } },
      { text: '[file a.png: https://example.com/a]' },
    ]);
  });

  it('answers a call, with edited content, under both sets of field names', () => {
    const reply = { callId: 'c1', outcome: 'proceed_once', newContent: 'x' };
    const draft = { tool_call_id: 'c2', selected_option_id: 'cancel' };
    expect(read(dataPart(reply), dataPart(draft))).toEqual({
      parts: [],
      replies: [
        { callId: 'c1', outcome: 'proceed_once', payload: { newContent: 'x' } },
        { callId: 'c2', outcome: 'cancel' },
      ],
      problems: [],
    });
  });

  it.each([
    [{ callId: 7, outcome: 'cancel' }, 'must be a text'],
    [{ callId: 'c', outcome: 'maybe' }, 'Unknown outcome "maybe"'],
    [{ callId: 'c' }, 'Unknown outcome undefined'],
  ])('says what is wrong with the answer %j', (reply, problem) => {
    expect(read(dataPart(reply)).problems.join()).toContain(problem);
  });
});

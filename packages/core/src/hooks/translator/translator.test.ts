/** The stable model format, both ways. */
import { describe, expect, it } from 'vitest';
import type { GenerateRequest } from '../../model/content-generator.js';
import type { Message } from '../../protocol/messages.js';
import { applyRequest, toResponse, toToolChoice } from './from-llm.js';
import { toLLMRequest, toLLMResponse } from './to-llm.js';

const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
const call = { functionCall: { id: '1', name: 'work', args: {} } };
const messages: Message[] = [
  { role: 'user', origin: 'prompt', parts: [{ text: 'look' }, image, { text: ' here' }] },
  { role: 'model', origin: 'model', parts: [{ text: 'thinking', thought: true }, call] },
  {
    role: 'user',
    origin: 'tool_response',
    parts: [{ functionResponse: { id: '1', name: 'work', response: {} } }],
  },
  { role: 'model', origin: 'model', parts: [{ text: 'done' }] },
];
const request: GenerateRequest = {
  model: 'm',
  messages,
  systemInstruction: 'rules',
  tools: [{ name: 'work', description: 'Works.', parametersJsonSchema: {} }],
  serverTools: ['googleSearch'],
  settings: { temperature: 1, topK: 4, thinkingConfig: { includeThoughts: true }, stopSequences: ['x'] },
  role: 'main',
  promptId: 'p',
};
const apply = (edited: Record<string, unknown>) =>
  applyRequest(request, edited, (name) => `resolved-${name}`);

describe('toLLMRequest', () => {
  it('keeps text only, and the options hooks know', () => {
    expect(toLLMRequest({ ...request, toolChoice: { mode: 'ANY' } })).toEqual({
      model: 'm',
      messages: [
        { role: 'user', content: 'look here' },
        { role: 'model', content: 'done' },
      ],
      config: { temperature: 1, topK: 4, stopSequences: ['x'] },
      toolConfig: { mode: 'ANY' },
    });
  });

  it('is made once per request', () => {
    expect(toLLMRequest(request)).toBe(toLLMRequest(request));
  });
});

describe('applyRequest', () => {
  it('changes nothing where the hook returns what it got', () => {
    const same = apply(JSON.parse(JSON.stringify(toLLMRequest(request))));
    expect(same).toEqual(request);
    expect(same.messages[0]).toBe(messages[0]);
  });

  it('replaces only the text of messages that have some, one to one', () => {
    const edited = apply({
      messages: [
        { role: 'user', content: 'LOOK' },
        { role: 'model', content: 'DONE' },
      ],
    });
    expect(edited.messages.map(({ parts }) => parts)).toEqual([
      [{ text: 'LOOK' }, image],
      messages[1]?.parts,
      messages[2]?.parts,
      [{ text: 'DONE' }],
    ]);
    expect({ ...edited, messages }).toEqual(request);
  });

  it('appends surplus messages, and leaves the tail when there are fewer', () => {
    const surplus = apply({ messages: ['a', 'b', 'c'].map((content) => ({ role: 'user', content })) });
    expect(surplus.messages.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'c' }] });
    expect(surplus.messages).toHaveLength(5);
    expect(apply({ messages: [{ role: 'user', content: 'a' }] }).messages.at(-1)).toBe(messages[3]);
    expect(apply({ messages: [] }).messages).toEqual(messages);
  });

  it('merges system messages into the system instruction', () => {
    const edited = apply({ messages: [{ role: 'system', content: 'be brief' }] });
    expect(edited.systemInstruction).toBe('rules\n\nbe brief');
    expect(edited.messages).toEqual(messages);
  });

  it('overrides only the options it names; tools and all others stay', () => {
    const edited = apply({ config: { temperature: 0, maxOutputTokens: 5, topK: 'many', seed: 7 } });
    expect(edited).toEqual({
      ...request,
      settings: { ...request.settings, temperature: 0, maxOutputTokens: 5 },
    });
  });

  it('resolves another model, and only another one', () => {
    expect([apply({ model: 'pro' }).model, apply({ model: 'm' }).model]).toEqual(['resolved-pro', 'm']);
  });

  it.each([
    [{ messages: 'x' }],
    [
      {
        messages: [null, 1, { role: 'user' }, { role: 'boss', content: 'x' }, { role: 'user', content: {} }],
      },
    ],
    [{ model: 5, config: [], toolConfig: 1 }],
  ])('skips wrong types: %j', (edited) => {
    expect(apply(edited)).toEqual(request);
  });
});

describe('toLLMResponse', () => {
  it('shows the text of a chunk, its end and its counts', () => {
    const parts = [{ text: 'hidden', thought: true }, { text: 'a' }, call, { text: 'b' }];
    const chunk = {
      candidates: [{ content: { role: 'model' as const, parts }, finishReason: 'LANGUAGE', index: 0 }],
      usageMetadata: { promptTokenCount: 1, totalTokenCount: 3, thoughtsTokenCount: 2 },
    };
    expect(toLLMResponse(chunk)).toEqual({
      text: 'ab',
      candidates: [{ content: { role: 'model', parts: ['a', 'b'] }, finishReason: 'OTHER', index: 0 }],
      usageMetadata: { promptTokenCount: 1, totalTokenCount: 3 },
    });
  });

  it('takes a chunk without anything', () => {
    expect(toLLMResponse({})).toEqual({ candidates: [] });
  });
});

describe('toResponse', () => {
  it('reads an answer, its end and its counts', () => {
    const candidates = [
      { content: { role: 'model', parts: ['a', '', 5, { text: 'b' }] }, finishReason: 'STOP' },
    ];
    expect(
      toResponse({ candidates, usageMetadata: { totalTokenCount: 3, x: 1, promptTokenCount: 'y' } }),
    ).toEqual({
      candidates: [
        { content: { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] }, finishReason: 'STOP' },
      ],
      usageMetadata: { totalTokenCount: 3 },
    });
    expect(toResponse({ text: 'short' })?.candidates?.[0]?.content?.parts).toEqual([{ text: 'short' }]);
  });

  it.each([null, 5, {}, { candidates: 'x' }, { candidates: [{ content: { parts: [] } }] }])(
    'finds no answer in %j',
    (given) => {
      expect(toResponse(given)).toBeUndefined();
    },
  );
});

it.each([
  [
    { mode: 'ANY', allowedFunctionNames: ['a', 1] },
    { mode: 'ANY', allowedFunctionNames: ['a'] },
  ],
  [{ allowedFunctionNames: ['a'] }, { mode: 'AUTO', allowedFunctionNames: ['a'] }],
  [{ mode: 'NONE', allowedFunctionNames: ['a'] }, { mode: 'NONE' }],
  [{ mode: 'maybe' }, undefined],
  ['ANY', undefined],
])('reads the tool choice %j', (config, expected) => {
  expect(toToolChoice(config)).toEqual(expected);
});

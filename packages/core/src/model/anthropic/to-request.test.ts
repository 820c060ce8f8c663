import { type AnthropicBody, brokenRule } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import type { GenerateRequest, GenerationSettings } from '../content-generator.js';
import { lowerSchema } from './lower-schema.js';
import { packThinking } from './signature.js';
import { type RequestTarget, RequestWriter, toolNames } from './to-request.js';
import { wireName } from './wire.js';

const target: RequestTarget = { id: 'anthropic', supportsTools: true, supportsImages: true };
const tool = { name: 'look', description: '', parametersJsonSchema: { type: 'object' as const } };

function bodyOf(messages: Message[], rest: Partial<GenerateRequest> = {}, to = target): AnthropicBody {
  const request = { model: 'claude-x', messages, tools: [tool], role: 'main', promptId: 'p', ...rest };
  const body = JSON.parse(Buffer.concat(new RequestWriter(to).write(request)).toString()) as AnthropicBody;
  expect(brokenRule(body)).toBeUndefined();
  return JSON.parse(JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', ''));
}
const user = (...parts: Part[]): Message => ({ role: 'user', origin: 'prompt', parts });
const model = (...parts: Part[]): Message => ({ role: 'model', origin: 'model', parts });
const call = (id: string | undefined, name = 'look', args = {}): Part => ({
  functionCall: { id, name, args },
});
const result = (id: string | undefined, response: Record<string, unknown>, name = 'look'): Part => ({
  functionResponse: { id, name, response },
});

describe('the tool choice', () => {
  const choice = (rest: Partial<GenerateRequest>) =>
    (bodyOf([user({ text: 'a' })], rest) as object as Record<string, unknown>)['tool_choice'];

  it('is free, required or forbidden, or requires one tool', () => {
    expect(choice({})).toBeUndefined();
    expect(choice({ toolChoice: { mode: 'AUTO' } })).toEqual({ type: 'auto' });
    expect(choice({ toolChoice: { mode: 'NONE' } })).toEqual({ type: 'none' });
    expect(choice({ toolChoice: { mode: 'ANY' } })).toEqual({ type: 'any' });
    const look = { mode: 'ANY' as const, allowedFunctionNames: ['look'] };
    expect(choice({ toolChoice: look })).toEqual({ type: 'tool', name: 'look' });
    expect(choice({ toolChoice: { mode: 'ANY' }, tools: [] })).toBeUndefined();
  });

  it('disables thinking where a call is required', () => {
    const settings = { thinkingConfig: { thinkingBudget: 2048 } };
    const thinks = (mode: 'AUTO' | 'ANY') =>
      'thinking' in bodyOf([user({ text: 'a' })], { settings, toolChoice: { mode } });
    expect([thinks('AUTO'), thinks('ANY')]).toEqual([true, false]);
  });
});

describe('lowered messages', () => {
  it('alternate and begin with the user', () => {
    const { messages } = bodyOf([
      model({ text: 'a' }),
      model({ text: 'b' }),
      user({ text: 'c' }),
      user({ text: 'd' }),
    ]);
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
    ]);
  });

  it('end with the user, and are never blank', () => {
    expect(bodyOf([user({ text: ' \n' }, { text: 'a' }), model({ text: 'b' })]).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      { role: 'user', content: [{ type: 'text', text: 'Continue.' }] },
    ]);
    expect(bodyOf([]).messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Continue.' }] }]);
  });

  it('omit thoughts', () => {
    const { messages } = bodyOf([
      user({ text: 'a' }),
      model({ text: 'hm', thought: true }),
      user({ text: 'b' }),
    ]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });

  it('carry images, documents and notes about other media', () => {
    const media = ['image/png', 'application/pdf', 'audio/mp3', 'text/plain'].map((mimeType) => ({
      inlineData: { mimeType, data: 'aGk=' },
    }));
    const source = (media_type: string) => ({ type: 'base64', media_type, data: 'aGk=' });
    expect(bodyOf([user(...media)]).messages[0]?.content).toEqual([
      { type: 'image', source: source('image/png') },
      { type: 'document', source: source('application/pdf') },
      { type: 'text', text: expect.stringContaining('audio/mp3 was left out') },
      { type: 'text', text: 'hi' },
    ]);
    const blind = bodyOf([user(...media.slice(0, 1))], {}, { ...target, supportsImages: false });
    expect(blind.messages[0]?.content).toMatchObject([{ type: 'text' }]);
  });
});

describe('lowered tool results', () => {
  it('come before the text, in the order of the calls, with errors marked', () => {
    const { messages } = bodyOf([
      user({ text: 'a' }),
      model(call('1'), call('2'), call('3')),
      user(
        { text: 'and?' },
        result('3', { output: '' }),
        result('2', { error: 'no' }),
        result('1', { a: 1 }),
      ),
    ]);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: '1', content: '{"a":1}' },
      { type: 'tool_result', tool_use_id: '2', content: 'no', is_error: true },
      { type: 'tool_result', tool_use_id: '3' },
      { type: 'text', text: 'and?' },
    ]);
  });

  it('are added as errors when missing, and become text without a call', () => {
    const { messages } = bodyOf([
      user({ text: 'a' }, result('x', { output: 'old' })),
      model(call('1')),
      user({ text: 'b' }),
      model(call('2')),
    ]);
    const missing = (id: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: expect.stringContaining('No result'),
      is_error: true,
    });
    expect(messages.map(({ content }) => content)).toEqual([
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: '[Result of look]\nold' },
      ],
      [{ type: 'tool_use', id: '1', name: 'look', input: {} }],
      [missing('1'), { type: 'text', text: 'b' }],
      [{ type: 'tool_use', id: '2', name: 'look', input: {} }],
      [missing('2')],
    ]);
  });

  it('find their calls without ids, with strange ones and with repeated ones', () => {
    const { messages } = bodyOf([
      user({ text: 'a' }),
      model(call(undefined), call('ö:1'), call('same'), call('same')),
      user(
        result('same', { output: 'C' }),
        result('same', { output: 'D' }),
        result(undefined, { output: 'A' }),
        result('ö:1', { output: 'B' }),
      ),
    ]);
    expect(messages[1]?.content.map(({ id }) => id)).toEqual(['call', '__1', 'same', 'same_2']);
    expect(messages[2]?.content.map(({ content }) => content)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('keep their images', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' } };
    const response: Part = {
      functionResponse: { id: '1', name: 'look', response: { output: 'x' }, parts: [image] },
    };
    expect(
      bodyOf([user({ text: 'a' }), model(call('1')), user(response)]).messages[2]?.content[0]?.content,
    ).toEqual([
      { type: 'text', text: 'x' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    ]);
  });

  it('become text where no tool is declared', () => {
    const history = [user({ text: 'a' }), model(call('1')), user(result('1', { output: 'x' }))];
    const expected = [
      [{ type: 'text', text: 'a' }],
      [{ type: 'text', text: '[Called look with {}]' }],
      [{ type: 'text', text: '[Result of look]\nx' }],
    ];
    const blunt = { ...target, supportsTools: false };
    expect(bodyOf(history, { tools: [] }).messages.map(({ content }) => content)).toEqual(expected);
    expect(bodyOf(history, {}, blunt).messages.map(({ content }) => content)).toEqual(expected);
    expect(bodyOf(history, {}, blunt).tools).toBeUndefined();
  });
});

describe('lowered settings', () => {
  const sampled = (settings: GenerationSettings, messages = [user({ text: 'a' })], to = target) => {
    const { model: _model, messages: _messages, tools: _tools, ...rest } = bodyOf(messages, { settings }, to);
    return rest;
  };

  it.each<[GenerationSettings, object]>([
    [{}, { max_tokens: 8192 }],
    [
      { temperature: 2, topP: 0.9, topK: 5 },
      { max_tokens: 8192, temperature: 1, top_k: 5 },
    ],
    [
      { topP: 0.9, maxOutputTokens: 100, stopSequences: ['x'] },
      { max_tokens: 100, top_p: 0.9, stop_sequences: ['x'] },
    ],
    [
      { temperature: 1, thinkingConfig: { thinkingBudget: 2000 } },
      { max_tokens: 8192, thinking: { type: 'enabled', budget_tokens: 2000 } },
    ],
    [
      { thinkingConfig: { thinkingBudget: 10 } },
      { max_tokens: 8192, thinking: { type: 'enabled', budget_tokens: 1024 } },
    ],
    [
      { thinkingConfig: { thinkingBudget: 99_999 } },
      { max_tokens: 8192, thinking: { type: 'enabled', budget_tokens: 4096 } },
    ],
    [
      { thinkingConfig: { thinkingLevel: 'LOW' } },
      { max_tokens: 8192, thinking: { type: 'enabled', budget_tokens: 2048 } },
    ],
    [{ maxOutputTokens: 1024, thinkingConfig: { thinkingBudget: 2000 } }, { max_tokens: 1024 }],
    [{ thinkingConfig: { includeThoughts: true, thinkingBudget: 0 } }, { max_tokens: 8192 }],
  ])('become the right fields: %j', (settings, expected) => {
    expect(sampled(settings)).toEqual(expected);
  });

  it('do not request thinking in a tool loop that began without it', () => {
    const settings = { thinkingConfig: { thinkingBudget: 2000 } };
    const signature = packThinking('anthropic', {
      first: [{ type: 'thinking', thinking: 'x', signature: 's' }],
      last: [],
    });
    const loop = (thoughtSignature?: string) => [
      user({ text: 'a' }),
      model({ text: 'I look' }, { ...call('1'), ...(thoughtSignature && { thoughtSignature }) }),
      user(result('1', { output: 'x' })),
    ];
    expect(sampled(settings, loop())['thinking']).toBeUndefined();
    expect(sampled(settings, loop('c2lnbmF0dXJl'))['thinking']).toBeUndefined();
    expect(sampled(settings, loop(signature))['thinking']).toEqual({ type: 'enabled', budget_tokens: 2000 });
    expect(sampled(settings, loop(signature), { ...target, id: 'other' })['thinking']).toBeUndefined();
  });

  it('obey the limit of the provider', () => {
    expect(sampled({ maxOutputTokens: 9000 }, undefined, { ...target, maxOutputTokens: 500 })).toEqual({
      max_tokens: 500,
    });
  });

  it('ask for JSON in the system text', () => {
    const { system } = bodyOf([user({ text: 'a' })], {
      systemInstruction: 's',
      settings: { responseMimeType: 'application/json', responseJsonSchema: { type: 'array' } },
    });
    expect(system?.map(({ text }) => text)).toEqual([
      's',
      expect.stringContaining('JSON value'),
      expect.stringContaining('{"type":"array"}'),
    ]);
  });
});

describe('lowered tools', () => {
  it('get names the API accepts, and back', () => {
    const odd = 'mcp server.tool/ü';
    const body = bodyOf([user({ text: 'a' })], { tools: [{ ...tool, name: odd }, tool] });
    const [first = { name: '' }, second] = body.tools ?? [];
    expect(first.name).toBe(wireName(odd));
    expect(second?.name).toBe('look');
    expect(toolNames([{ ...tool, name: odd }])(first.name)).toBe(odd);
    expect(wireName('a.b')).not.toBe(wireName('a_b'));
  });

  it('have schemas with an object at the top and no cycles', () => {
    expect(lowerSchema(undefined)).toEqual({ type: 'object', properties: {} });
    expect(lowerSchema({ $schema: 'x', description: 'd', anyOf: [{ required: ['a'] }] })).toEqual({
      type: 'object',
      properties: {},
      description: 'd (anyOf: [{"required":["a"]}])',
    });
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' }, leaf: { $ref: '#/$defs/leaf' } },
    };
    expect(
      lowerSchema({
        type: 'object',
        properties: { a: { $ref: '#/$defs/node' }, b: { $ref: '#' } },
        $defs: { node, leaf: { type: 'string' } },
      }),
    ).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/node' }, b: { description: 'Recursive or unknown: #' } },
      $defs: {
        node: {
          type: 'object',
          properties: {
            next: { description: 'Recursive or unknown: #/$defs/node' },
            leaf: { $ref: '#/$defs/leaf' },
          },
        },
        leaf: { type: 'string' },
      },
    });
  });
});

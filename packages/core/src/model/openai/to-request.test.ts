import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import type { FunctionDeclaration, JsonSchema } from '../../protocol/tool-declaration.js';
import type { GenerateRequest } from '../content-generator.js';
import type { Provider } from '../providers.js';
import { type Dialect, firstDialect } from './dialect.js';
import { wireName } from './names.js';
import { toParameters } from './schema.js';
import { ChatRequestWriter } from './to-request.js';

const provider: Provider = {
  id: 'openai',
  type: 'openai',
  baseUrl: new URL('https://api.openai.com/v1'),
  headers: {},
  supportsTools: true,
  supportsImages: true,
  isLocal: false,
};

interface Options {
  writer?: ChatRequestWriter;
  provider?: Partial<Provider>;
  dialect?: Partial<Dialect>;
}

function body(request: Partial<GenerateRequest>, options: Options = {}): Record<string, unknown> {
  const server = { ...provider, ...options.provider };
  const dialect = { ...firstDialect(server), ...options.dialect };
  const whole = { model: 'gpt-4o', messages: [], role: 'main', promptId: 'p', ...request };
  const pieces = (options.writer ?? new ChatRequestWriter()).write(whole, server, dialect, true);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

const lowered = (messages: Message[], options?: Options) => body({ messages }, options)['messages'];
const user = (...parts: Part[]): Message => ({ role: 'user', origin: 'prompt', parts });
const model = (...parts: Part[]): Message => ({ role: 'model', origin: 'model', parts });
const call = (id: string | undefined, name = 'look', args = {}): Part => ({
  functionCall: { id, name, args },
});
const response = (id: string | undefined, output: string, name = 'look'): Part => ({
  functionResponse: { id, name, response: { output } },
});
const toolCall = (id: string, name = 'look') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});

describe('the OpenAI tool choice', () => {
  const tools: FunctionDeclaration[] = [{ name: 'my.tool', description: '', parametersJsonSchema: {} }];
  const choice = (toolChoice: GenerateRequest['toolChoice']) => body({ tools, toolChoice })['tool_choice'];

  it('is free, required or forbidden, or requires one tool', () => {
    expect(choice(undefined)).toBe('auto');
    expect(choice({ mode: 'AUTO' })).toBe('auto');
    expect(choice({ mode: 'NONE' })).toBe('none');
    expect(choice({ mode: 'ANY' })).toBe('required');
    expect(choice({ mode: 'ANY', allowedFunctionNames: ['a', 'b'] })).toBe('required');
    const one = { type: 'function', function: { name: wireName('my.tool') } };
    expect(choice({ mode: 'ANY', allowedFunctionNames: ['my.tool'] })).toEqual(one);
  });

  it('is omitted without tools', () => {
    expect(body({ toolChoice: { mode: 'ANY' } })).not.toHaveProperty('tool_choice');
    const options = { dialect: { tools: false } };
    expect(body({ tools, toolChoice: { mode: 'ANY' } }, options)).not.toHaveProperty('tool_choice');
  });
});

describe('lowered OpenAI messages', () => {
  it('have text, calls and one answer each, in the order of the calls', () => {
    const messages = [
      user({ text: 'go' }),
      model({ text: 'thinking', thought: true }, { text: 'see' }, call('1'), call('2')),
      user(response('2', 'two'), response('1', 'one'), { text: 'hurry' }),
    ];
    expect(lowered(messages)).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'see', tool_calls: [toolCall('1'), toolCall('2')] },
      { role: 'tool', tool_call_id: '1', content: 'one' },
      { role: 'tool', tool_call_id: '2', content: 'two' },
      { role: 'user', content: 'hurry' },
    ]);
  });

  it('of one role that follow each other become one, and empty ones are left out', () => {
    const messages = [
      user({ text: 'a' }),
      model({ text: 'only a thought', thought: true }),
      user({ text: 'b' }),
      model({ text: 'c' }),
      model(call('1')),
      user(response('1', 'r')),
    ];
    expect(lowered(messages)).toEqual([
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: 'c', tool_calls: [toolCall('1')] },
      { role: 'tool', tool_call_id: '1', content: 'r' },
    ]);
  });

  it('answer unanswered calls, in the middle and at the end', () => {
    const missing = expect.stringContaining('was not answered');
    const messages = [
      user({ text: 'x' }),
      model(call('1'), call('2')),
      user(response('2', 'r')),
      model(call('3')),
    ];
    expect(lowered(messages)).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: '1', content: missing },
      { role: 'tool', tool_call_id: '2', content: 'r' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: '3', content: missing },
    ]);
  });

  it('keep an answer without a call as text', () => {
    expect(lowered([user(response('gone', 'r'))])).toEqual([
      { role: 'user', content: '[result of look]\nr' },
    ]);
  });

  it('get ids where they are missing, repeated, too long or invalid', () => {
    const strange = ['x'.repeat(60), 'a b/ü', 'same', 'same', undefined];
    const messages = [
      model(...strange.map((id) => call(id))),
      user(...strange.map((id, n) => response(id, `${n}`))),
    ];
    const [assistant, ...tools] = lowered(messages) as {
      tool_calls: { id: string }[];
      tool_call_id: string;
      content: string;
    }[];
    const ids = assistant?.tool_calls.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
    expect(tools.map((tool) => tool.tool_call_id)).toEqual(ids);
    expect(tools.map(({ content }) => content)).toEqual(['0', '1', '2', '3', '4']);
  });

  it('carry errors, objects and empty results as text', () => {
    const responses = [{ error: 'bad' }, { a: 1 }, { output: '' }];
    const messages = [
      model(call('0'), call('1'), call('2')),
      user(
        ...responses.map((value, n) => ({ functionResponse: { id: `${n}`, name: 'look', response: value } })),
      ),
    ];
    expect((lowered(messages) as { content: string }[]).slice(1).map(({ content }) => content)).toEqual([
      'bad',
      '{"a":1}',
      '(no output)',
    ]);
  });

  it('carry images, and mention other media and images that the model does not take', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const sound = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } };
    const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const note = expect.stringMatching(/^\[audio\/wav, 3 bytes: not sent/);
    expect(lowered([user({ text: 'see' }, image, sound)])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'see' }, url, { type: 'text', text: note }] },
    ]);
    expect(lowered([user(image)], { provider: { supportsImages: false } })).toEqual([
      { role: 'user', content: expect.stringMatching(/^\[image\/png, 3 bytes: not sent/) },
    ]);
    const read: Part = {
      functionResponse: { id: '1', name: 'look', response: { output: 'ok' }, parts: [image] },
    };
    expect((lowered([model(call('1')), user(read)]) as unknown[]).slice(1)).toEqual([
      { role: 'tool', tool_call_id: '1', content: 'ok' },
      { role: 'user', content: [{ type: 'text', text: '[from look]' }, url] },
    ]);
  });

  it('describe calls in words where the model takes no tools', () => {
    const messages = [user({ text: 'x' }), model({ text: 'see' }, call('1')), user(response('1', 'r'))];
    expect(lowered(messages, { dialect: { tools: false } })).toEqual([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'see\n[called look with {}]\n' },
      { role: 'user', content: '[result of look]\nr' },
    ]);
  });
});

describe('lowered OpenAI parameters', () => {
  const settings = {
    temperature: 0,
    topP: 0.9,
    topK: 5,
    stopSequences: ['x'],
    seed: 1,
    maxOutputTokens: 100,
  };

  it('have the names of the protocol', () => {
    expect(body({ settings })).toMatchObject({
      temperature: 0,
      top_p: 0.9,
      stop: ['x'],
      seed: 1,
      max_tokens: 100,
    });
    expect(body({ settings })).not.toHaveProperty('top_k');
    expect(body({ settings }, { provider: { id: 'vllm', isLocal: true } })).toHaveProperty('top_k', 5);
    expect(body({ settings }, { provider: { maxOutputTokens: 50 } })).toHaveProperty('max_tokens', 50);
  });

  it.each(['o3', 'o4-mini', 'gpt-5', 'gpt-5-codex'])('are fewer for %s', (name) => {
    const thinkingConfig = { thinkingLevel: 'MEDIUM' };
    const { messages: _messages, ...rest } = body({ model: name, settings: { ...settings, thinkingConfig } });
    expect(rest).toEqual({
      model: name,
      stream: true,
      stream_options: { include_usage: true },
      seed: 1,
      max_completion_tokens: 100,
      reasoning_effort: 'medium',
    });
  });

  it('ask for JSON as strictly as the server can', () => {
    const schema = { type: 'object' };
    const asked = { settings: { responseJsonSchema: schema } };
    const format = (json: Dialect['json']) => body(asked, { dialect: { json } });
    expect(format('schema')['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema },
    });
    expect(format('object')['response_format']).toEqual({ type: 'json_object' });
    expect(format('none')).not.toHaveProperty('response_format');
    const instruction = [{ role: 'system', content: expect.stringContaining('{"type":"object"}') }];
    expect(format('none')['messages']).toEqual(instruction);
  });
});

describe('lowered OpenAI tools', () => {
  const tool = (name: string, parametersJsonSchema: JsonSchema = {}): FunctionDeclaration => ({
    name,
    description: 'd',
    parametersJsonSchema,
  });

  it('have unique names that the protocol accepts', () => {
    const names = ['ok-1', 'a.b', 'a/b', 'ü', 'x'.repeat(100), `${'x'.repeat(100)}y`];
    const sent = (
      body({ tools: names.map((name) => tool(name)) })['tools'] as { function: { name: string } }[]
    ).map((item) => item.function.name);
    expect(sent[0]).toBe('ok-1');
    expect(new Set(sent).size).toBe(names.length);
    for (const name of sent) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(sent).toEqual(names.map(wireName));
  });

  it('have object schemas, whatever was declared', () => {
    expect(toParameters(undefined)).toEqual({ type: 'object', properties: {} });
    expect(
      toParameters({
        $schema: 'http://json-schema.org/draft-07/schema#',
        oneOf: [{ properties: { a: { type: 'STRING' } } }, { properties: { b: { type: 'array' } } }],
        properties: { $id: { type: 'string', enum: ['$id'] } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'array', items: {} },
        $id: { type: 'string', enum: ['$id'] },
      },
    });
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { self: cyclic };
    expect(() => JSON.stringify(toParameters(cyclic))).not.toThrow();
  });
});

describe('a conversation that grows', () => {
  const turn = (n: number): Message[] => [
    user({ text: `question ${n}` }),
    model({ text: 'see' }, call(`c${n}`)),
    user(response(`c${n}`, `result ${n} ${'x'.repeat(200)}`)),
    model({ text: `answer ${n}` }),
  ];

  it('is written the same in steps as at once, also after it was changed', () => {
    const writer = new ChatRequestWriter();
    const all: Message[] = [];
    for (let n = 0; n < 30; n++) {
      for (const message of turn(n)) {
        all.push(message);
        expect(lowered([...all], { writer })).toEqual(lowered(all));
      }
    }
    const shorter = [user({ text: 'summary' }), ...all.slice(50)];
    expect(lowered(shorter, { writer })).toEqual(lowered(shorter));
    expect(lowered(shorter, { writer, dialect: { tools: false } })).toEqual(
      lowered(shorter, { dialect: { tools: false } }),
    );
  });
});

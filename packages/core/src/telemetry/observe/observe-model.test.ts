import { describe, expect, it } from 'vitest';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../../model/content-generator.js';
import { Traces } from '../export/traces.js';
import { Recorded } from '../recorded.test-helper.js';
import { ObservedGenerator } from './observe-model.js';

const request: GenerateRequest = {
  model: 'm',
  role: 'main',
  promptId: 'p',
  systemInstruction: 'Be brief.',
  tools: [{ name: 'ls', description: 'Lists.', parametersJsonSchema: { type: 'object' } }],
  settings: { temperature: 1, topP: 0.95, topK: 64, maxOutputTokens: 100 },
  messages: [
    {
      role: 'user',
      origin: 'prompt',
      parts: [{ text: 'list' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    },
    {
      role: 'model',
      origin: 'model',
      parts: [{ text: 'hm', thought: true }, { functionCall: { id: '1', name: 'ls', args: {} } }],
    },
    {
      role: 'user',
      origin: 'tool_response',
      parts: [{ functionResponse: { id: '1', name: 'ls', response: { output: 'a' } } }],
    },
  ],
};
const usageMetadata = {
  promptTokenCount: 100,
  candidatesTokenCount: 20,
  cachedContentTokenCount: 50,
  thoughtsTokenCount: 5,
  toolUsePromptTokenCount: 0,
  totalTokenCount: 125,
};
const chunks: GenerateResponse[] = [
  { candidates: [{ content: { parts: [{ text: 'Thinking', thought: true }] } }] },
  { candidates: [{ content: { parts: [{ text: 'There is hun' }] } }] },
  {
    candidates: [{ content: { parts: [{ text: 'ter2.' }] }, finishReason: 'STOP' }],
    usageMetadata,
    modelVersion: 'm-001',
  },
];

function watch(answer: () => AsyncGenerator<GenerateResponse>) {
  const inner: ContentGenerator = {
    generateContentStream: answer,
    generateContent: async () => {
      for await (const chunk of answer()) return chunk;
      return {};
    },
    countTokens: async () => ({ totalTokens: 3 }),
    embedContent: async () => ({ embeddings: [[1]] }),
  };
  const recorded = new Recorded();
  let time = 1000;
  const server = { address: 'localhost', port: 8080 };
  const observation = {
    recorder: recorded,
    traces: new Traces(),
    now: () => (time += 10),
    provider: 'gcp.gemini',
    server,
  };
  return { model: new ObservedGenerator(inner, observation), recorded, traces: observation.traces };
}

async function* all(): AsyncGenerator<GenerateResponse> {
  yield* chunks;
}

const signal = new AbortController().signal;

async function drain(stream: AsyncIterable<GenerateResponse>): Promise<GenerateResponse[]> {
  const received: GenerateResponse[] = [];
  for await (const chunk of stream) received.push(chunk);
  return received;
}

describe('an answered request', () => {
  it('passes through unchanged', async () => {
    const { model } = watch(all);
    expect(await drain(model.generateContentStream(request, signal))).toEqual(chunks);
    expect(await model.generateContent(request, signal)).toBe(chunks[0]);
    expect(await model.countTokens(request, signal)).toEqual({ totalTokens: 3 });
    expect(await model.embedContent({ model: 'm', texts: [] }, signal)).toEqual({ embeddings: [[1]] });
  });

  it('is recorded as request, response and operation', async () => {
    const { model, recorded } = watch(all);
    await drain(model.generateContentStream(request, signal));
    const parts = [{ text: 'Thinking', thought: true }, { text: 'There is hunter2.' }];
    expect(recorded.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'gemini_cli.api_request',
        {
          model: 'm',
          prompt_id: 'p',
          role: 'main',
          request_text: [
            {
              role: 'user',
              parts: [
                { text: 'list' },
                { inlineData: { mimeType: 'image/png', data: '[4 characters of base64]' } },
              ],
            },
            { role: 'model', parts: [{ functionCall: { id: '1', name: 'ls', args: {} } }] },
            {
              role: 'user',
              parts: [{ functionResponse: { id: '1', name: 'ls', response: { output: 'a' } } }],
            },
          ],
        },
      ],
      [
        'gemini_cli.api_response',
        {
          model: 'm-001',
          status_code: 200,
          duration_ms: 20,
          input_token_count: 100,
          output_token_count: 20,
          cached_content_token_count: 50,
          thoughts_token_count: 5,
          tool_token_count: 0,
          total_token_count: 125,
          prompt_id: 'p',
          finish_reasons: ['STOP'],
          response_text: { role: 'model', parts },
          role: 'main',
        },
      ],
      [
        'gen_ai.client.inference.operation.details',
        {
          'gen_ai.operation.name': 'generate_content',
          'gen_ai.provider.name': 'gcp.gemini',
          'gen_ai.request.model': 'm',
          'server.address': 'localhost',
          'server.port': 8080,
          'gen_ai.input.messages': [
            {
              role: 'user',
              parts: [
                { type: 'text', content: 'list' },
                { type: 'blob', mime_type: 'image/png', content: '[4 characters of base64]' },
              ],
            },
            {
              role: 'assistant',
              parts: [
                { type: 'reasoning', content: 'hm' },
                { type: 'tool_call', id: '1', name: 'ls', arguments: {} },
              ],
            },
            { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: { output: 'a' } }] },
          ],
          'gen_ai.output.messages': [
            {
              role: 'assistant',
              parts: [
                { type: 'reasoning', content: 'Thinking' },
                { type: 'text', content: 'There is hunter2.' },
              ],
              finish_reason: 'stop',
            },
          ],
          'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': 100,
          'gen_ai.usage.output_tokens': 20,
          'gen_ai.request.temperature': 1,
          'gen_ai.request.top_p': 0.95,
          'gen_ai.request.top_k': 64,
          'gen_ai.request.max_tokens': 100,
        },
      ],
    ]);
  });

  it('is counted', async () => {
    const { model, recorded } = watch(all);
    await drain(model.generateContentStream(request, signal));
    const who = {
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm',
      'gen_ai.response.model': 'm-001',
      'server.address': 'localhost',
      'server.port': 8080,
    };
    expect(recorded.measures.map(({ name, value, attributes }) => [name, value, attributes])).toEqual([
      ['gemini_cli.api.request.count', 1, { model: 'm-001', status_code: 200 }],
      ['gemini_cli.api.request.latency', 20, { model: 'm-001' }],
      ['gen_ai.client.operation.duration', 0.02, who],
      ['gemini_cli.api.request.breakdown', 10, { model: 'm-001', phase: 'network_latency' }],
      ['gemini_cli.api.request.breakdown', 10, { model: 'm-001', phase: 'response_processing' }],
      ['gemini_cli.token.usage', 100, { model: 'm-001', type: 'input' }],
      ['gemini_cli.token.usage', 20, { model: 'm-001', type: 'output' }],
      ['gemini_cli.token.usage', 5, { model: 'm-001', type: 'thought' }],
      ['gemini_cli.token.usage', 50, { model: 'm-001', type: 'cache' }],
      ['gemini_cli.token.efficiency', 0.5, { model: 'm-001', metric: 'cache_hit_rate', context: 'main' }],
      ['gen_ai.client.token.usage', 100, { ...who, 'gen_ai.token.type': 'input' }],
      ['gen_ai.client.token.usage', 20, { ...who, 'gen_ai.token.type': 'output' }],
    ]);
  });

  it('is a span below the prompt; a new system prompt gets its own span', async () => {
    const { model, recorded, traces } = watch(all);
    const prompt = traces.open('p');
    await drain(model.generateContentStream(request, signal));
    await drain(model.generateContentStream(request, signal));
    expect(recorded.spans.map(({ name, parent }) => [name, parent])).toEqual([
      ['system_prompt', prompt],
      ['llm_call', prompt],
      ['llm_call', prompt],
    ]);
    expect(recorded.spans[1]?.attributes).toMatchObject({
      'gen_ai.prompt.name': 'p',
      'gen_ai.request.model': 'm',
      'gen_ai.response.model': 'm-001',
      'gen_ai.tool.definitions': request.tools,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
    });
    expect(traces.descriptionOf('ls')).toBe('Lists.');
  });
});

describe('a failed request', () => {
  it('is recorded as an API error with its status', async () => {
    const { model, recorded } = watch(async function* () {
      yield chunks[1] ?? {};
      throw Object.assign(new Error('overloaded'), { name: 'ApiError', status: 503 });
    });
    await expect(drain(model.generateContentStream(request, signal))).rejects.toThrow('overloaded');
    expect(recorded.named('gemini_cli.api_error')).toEqual([
      {
        'error.message': 'overloaded',
        model_name: 'm',
        duration: 20,
        prompt_id: 'p',
        error_type: 'ApiError',
        status_code: 503,
        role: 'main',
      },
    ]);
    expect(recorded.named('gemini_cli.api_response')).toEqual([]);
    expect(recorded.measured('gemini_cli.api.request.count')).toEqual([
      { value: 1, attributes: { model: 'm', status_code: 503, error_type: 'ApiError' } },
    ]);
    expect(recorded.spans.at(-1)).toMatchObject({ name: 'llm_call', error: 'overloaded' });
  });

  it('has the system code, or none, when it has no status', async () => {
    for (const [error, expected] of [
      [
        Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
        { error_type: 'Error', status_code: 'ECONNREFUSED' },
      ],
      ['just text', { error_type: 'Error', 'error.message': 'just text' }],
    ] as const) {
      const { model, recorded } = watch(async function* () {
        yield* [];
        throw error;
      });
      await expect(model.generateContent(request, signal)).rejects.toBe(error);
      expect(recorded.named('gemini_cli.api_error')).toMatchObject([expected]);
    }
  });

  it('is not an error when the user cancelled it or the caller stopped reading', async () => {
    const controller = new AbortController();
    const cancelled = watch(async function* () {
      yield chunks[1] ?? {};
      controller.abort();
      controller.signal.throwIfAborted();
    });
    await expect(drain(cancelled.model.generateContentStream(request, controller.signal))).rejects.toThrow();
    const left = watch(all);
    for await (const _ of left.model.generateContentStream(request, signal)) break;
    for (const { recorded } of [cancelled, left]) {
      expect(recorded.events.map(({ name }) => name)).toEqual(['gemini_cli.api_request']);
      expect(recorded.spans.at(-1)).toMatchObject({ name: 'llm_call', error: 'cancelled' });
    }
  });
});

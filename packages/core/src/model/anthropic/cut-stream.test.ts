import { cut, startAnthropicServer, text, usage } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../../platform/net/http.js';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { resolveProvider } from '../providers.js';
import { AnthropicApi } from './client.js';

const request: GenerateRequest = {
  model: 'claude-x',
  messages: [{ role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] }],
  role: 'main',
  promptId: 'p',
};

it('reports the prompt cost of a stream that is cut after its first words', async () => {
  const server = await startAnthropicServer();
  const http = new HttpClient();
  onTestFinished(async () => {
    http.close();
    await server.close();
  });
  const provider = resolveProvider('anthropic', { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' });
  const counts = { promptTokenCount: 100, cachedContentTokenCount: 80, candidatesTokenCount: 7 };
  server.replies([text('I will'), usage(counts), cut()]);
  const seen: GenerateResponse[] = [];
  const read = async () => {
    const stream = new AnthropicApi(provider, http, 'GeminiCLI/1').generateContentStream(
      request,
      new AbortController().signal,
    );
    for await (const chunk of stream) seen.push(chunk);
  };
  await expect(read()).rejects.toThrow('anthropic/claude-x: connection lost');
  expect(seen.flatMap((chunk) => chunk.usageMetadata ?? [])).toEqual([
    { promptTokenCount: 100, cachedContentTokenCount: 80, candidatesTokenCount: 1, totalTokenCount: 101 },
  ]);
});

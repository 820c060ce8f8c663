import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/messages.js';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { OfflineGuide } from './guide.js';

function request(messages: Message[], more: Partial<GenerateRequest> = {}): GenerateRequest {
  return { model: 'offline', messages, tools: [], role: 'main', promptId: 'p', ...more };
}

function prompt(text: string): Message {
  return { role: 'user', origin: 'prompt', parts: [{ text }] };
}

describe('the offline generator', () => {
  it('streams text in pieces that end with STOP and honest totals', async () => {
    const chunks: GenerateResponse[] = [];
    const stream = new OfflineGuide().generateContentStream(
      request([prompt('help')]),
      new AbortController().signal,
    );
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.map((chunk) => chunk.candidates?.[0]?.finishReason)).toEqual([
      ...chunks.slice(1).map(() => undefined),
      'STOP',
    ]);
    const usage = chunks.at(-1)?.usageMetadata;
    expect(usage?.totalTokenCount).toBe((usage?.promptTokenCount ?? 0) + (usage?.candidatesTokenCount ?? 0));
    const text = chunks.map((chunk) => chunk.candidates?.[0]?.content?.parts?.[0]?.text).join('');
    expect(usage?.candidatesTokenCount).toBeGreaterThanOrEqual(Math.floor(text.length / 4));
    expect(new Set(chunks.map((chunk) => chunk.modelVersion))).toEqual(new Set(['offline']));
  });

  it('gives the same answer to the same history', async () => {
    const { signal } = new AbortController();
    const tools = [{ name: 'grep_search', description: '', parametersJsonSchema: {} }];
    const same = () =>
      new OfflineGuide().generateContent(request([prompt('where is foo defined?')], { tools }), signal);
    const answer = await same();
    expect(answer.candidates?.[0]?.content?.parts?.[0]?.functionCall?.name).toBe('grep_search');
    expect(await same()).toEqual(answer);
  });

  it('stops when aborted', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(
      new OfflineGuide().generateContent(request([prompt('help')]), controller.signal),
    ).rejects.toThrow('aborted');
  });

  it('counts tokens by estimate and has no embeddings', async () => {
    const { signal } = new AbortController();
    const guide = new OfflineGuide();
    expect(await guide.countTokens(request([prompt('abcdefgh')]), signal)).toEqual({ totalTokens: 2 });
    await expect(guide.embedContent({ model: 'offline', texts: ['x'] }, signal)).rejects.toMatchObject({
      code: 'offline_no_embeddings',
      addressee: 'user',
    });
  });

  it('does not pretend to judge for the program, but knows that it is done', async () => {
    const { signal } = new AbortController();
    const guide = new OfflineGuide();
    const next = await guide.generateContent(request([], { role: 'utility_next_speaker' }), signal);
    expect(JSON.parse(next.candidates?.[0]?.content?.parts?.[0]?.text ?? '')).toMatchObject({
      next_speaker: 'user',
    });
    await expect(
      guide.generateContent(request([prompt('x')], { role: 'utility_compressor' }), signal),
    ).rejects.toMatchObject({ code: 'offline_no_model' });
  });
});

import { describe, expect, it } from 'vitest';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { FakeModel } from './fake.js';

const request: GenerateRequest = { model: 'm', messages: [], role: 'main', promptId: 'p' };

async function stream(model: FakeModel): Promise<GenerateResponse[]> {
  const all: GenerateResponse[] = [];
  for await (const chunk of model.generateContentStream(request)) all.push(chunk);
  return all;
}

const answerOf = (...parts: object[]) => [
  { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] },
];

describe('the fake model', () => {
  it('answers in order, and remembers the requests', async () => {
    const call = { name: 'read_file', args: { file_path: 'a' } };
    const model = new FakeModel(['hi', { calls: [call], text: 'I look.' }, ({ role }) => `for ${role}`]);
    expect(await stream(model)).toEqual(answerOf({ text: 'hi' }));
    expect(await stream(model)).toEqual(answerOf({ text: 'I look.' }, { functionCall: call }));
    expect(await stream(model)).toEqual(answerOf({ text: 'for main' }));
    expect(model.requests).toEqual([request, request, request]);
  });

  it('fails when told to, and when it has no answer left', async () => {
    const model = new FakeModel([new Error('no connection')]);
    await expect(stream(model)).rejects.toThrow('no connection');
    await expect(stream(model)).rejects.toThrow('no answer for request 2');
  });

  it('returns the chunks of an answer as one response where the caller does not stream', async () => {
    const chunks = [
      { candidates: [{ content: { parts: [{ text: 'a' }] } }] },
      { candidates: [{ content: { parts: [{ text: 'b' }] }, finishReason: 'STOP' }] },
    ];
    const model = new FakeModel([chunks]);
    const response = await model.generateContent(request);
    expect(response).toEqual(answerOf({ text: 'a' }, { text: 'b' })[0]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from './content-generator.js';
import { ModelPool } from './pool.js';

const request = (model: string): GenerateRequest => ({ model, messages: [], role: 'main', promptId: 'p' });
const signal = new AbortController().signal;

/** Providers by the first letter; each answers with its letter and the model it was asked for. */
function pool(failing = new Set<string>()) {
  const opened: string[] = [];
  const keyOf = (model: string) => model.slice(0, 1);
  const models = new ModelPool({
    keyOf,
    open: async (model) => {
      const key = keyOf(model);
      opened.push(key);
      if (failing.has(key)) throw new Error(`no key for ${key}`);
      const answer = (asked: GenerateRequest): GenerateResponse => ({
        modelVersion: `${key}:${asked.model}`,
      });
      const generator = {
        async *generateContentStream(asked: GenerateRequest) {
          yield answer(asked);
        },
        generateContent: async (asked: GenerateRequest) => answer(asked),
      } as Partial<ContentGenerator> as ContentGenerator;
      return { generator };
    },
  });
  const stream = async (model: string) => {
    const versions: unknown[] = [];
    for await (const chunk of models.generateContentStream(request(model), signal)) {
      versions.push(chunk.modelVersion);
    }
    return versions;
  };
  return { models, opened, stream };
}

describe('ModelPool', () => {
  it("sends each request to its model's provider, which is set up once", async () => {
    const { models, opened, stream } = pool();
    expect(await stream('a1')).toEqual(['a:a1']);
    expect(await stream('b1')).toEqual(['b:b1']);
    expect((await models.generateContent(request('a2'), signal)).modelVersion).toBe('a:a2');
    expect(opened).toEqual(['a', 'b']);
  });

  it('sets up a provider once for parallel requests', async () => {
    const { opened, stream } = pool();
    await Promise.all([stream('a1'), stream('a2'), stream('a3')]);
    expect(opened).toEqual(['a']);
  });

  it('retries a failed setup', async () => {
    const failing = new Set(['a']);
    const { models, stream } = pool(failing);
    await expect(models.prepare('a1')).rejects.toThrow('no key for a');
    failing.clear();
    expect(await stream('a1')).toEqual(['a:a1']);
  });
});

import { expect, it } from 'vitest';
import type { ContentGenerator } from '../content-generator.js';
import { OwnNameGenerator } from './own-name.js';

const signal = new AbortController().signal;
const wrapped = (inner: Partial<ContentGenerator>) =>
  new OwnNameGenerator(inner as ContentGenerator, 'ollama/');

it('lists models by the names to request them with', async () => {
  const server = wrapped({ listModels: async () => ['a:1b', 'org/b'] });
  expect(await server.listModels(signal)).toEqual(['ollama/a:1b', 'ollama/org/b']);
  expect(await wrapped({}).listModels(signal)).toEqual([]);
});

it('requests a model by its own name', async () => {
  const server = wrapped({ generateContent: async ({ model }) => ({ modelVersion: model }) });
  const request = { messages: [], role: 'main', promptId: 'p' };
  const asked = (model: string) => server.generateContent({ ...request, model }, signal);
  expect(await asked('ollama/a:1b')).toEqual({ modelVersion: 'a:1b' });
  expect(await asked('ollama/ollama/x')).toEqual({ modelVersion: 'ollama/x' });
});

import {
  apiError,
  createTestConfig,
  noticesTo,
  startModelServer,
  startOpenAiServer,
  text,
} from '@gemini-cli/test-utils';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import type { AgentEventBody } from '../protocol/agent-events.js';
import type { Config } from './config.js';

afterEach(() => vi.unstubAllEnvs());

async function bed(parameters: Partial<ConfigParameters>) {
  const google = await startModelServer();
  onTestFinished(() => google.close());
  const notices: string[] = [];
  const { events } = noticesTo((message) => void notices.push(message));
  const start = () => createTestConfig({ ...parameters, events }, { model: google });
  return { google, notices, start };
}

async function ask(config: Config, prompt: string): Promise<AgentEventBody[]> {
  const events: AgentEventBody[] = [];
  for await (const event of config.getGeminiClient().run([{ text: prompt }])) events.push(event);
  return events;
}

it.each(['openai/', 'gemini/', 'vertex/ ', '/', ' '])(
  'refuses a provider without a model: "%s"',
  async (model) => {
    const { start } = await bed({ model });
    await expect(start()).rejects.toThrow('names no model');
  },
);

it('reports addresses that are set elsewhere', async () => {
  const { start, notices } = await bed({ providers: { gemini: { baseUrl: 'https://x.example' }, mine: {} } });
  await start();
  expect(notices).toEqual([expect.stringContaining('model.providers.gemini.baseUrl has no effect')]);
});

it('accepts a preset of the settings as a model with settings, by its name', async () => {
  const generateContentConfig = { temperature: 0.2 };
  const customAliases = { careful: { extends: 'gemini-2.5-pro', modelConfig: { generateContentConfig } } };
  const { start, google } = await bed({ model: 'careful', models: { configs: { customAliases } } });
  google.replies([text('one')]);
  await ask(await start(), 'x');
  expect(google.lastRequest().path).toContain('/gemini-2.5-pro:');
  expect(google.lastRequest().body.generationConfig).toMatchObject({ temperature: 0.2, topK: 64 });
});

it('skips a fallback without a key in later prompts, too', async () => {
  vi.stubEnv('OPENAI_API_KEY', undefined);
  const ollama = await startOpenAiServer();
  onTestFinished(() => ollama.close());
  vi.stubEnv('OLLAMA_HOST', ollama.origin);
  const { start, google } = await bed({
    model: 'gemini-2.5-pro',
    models: { fallbacks: ['openai/x', 'ollama/y'] },
  });
  google.replies([apiError(429, 'No more today', { retryDelay: '4000s' })]);
  ollama.replies([text('one')], [text('two')]);
  const config = await start();
  const [first, second] = [await ask(config, 'a'), await ask(config, 'b')];
  const switches = (events: AgentEventBody[]) =>
    events.filter((event) => event.type === 'warning' && event.to !== undefined).length;
  expect([first, second].map(switches)).toEqual([1, 0]);
  expect(second).toContainEqual({ type: 'content', text: 'two' });
});

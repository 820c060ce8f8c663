/** `/uncompress` from the session's file, with a scripted server. */
import { readFileSync, statSync } from 'node:fs';
import {
  createTestConfig,
  type ModelServer,
  sendPrompt,
  startModelServer,
  text,
} from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { textOf } from '../protocol/messages.js';
import { readSession } from '../sessions/reading/read-session.js';
import { emptyMetrics, recordMetrics } from '../telemetry/observe/session-metrics.js';
import { Config } from './config.js';

const SUMMARY = (goal: string) =>
  text(`<state_snapshot>\n<overall_goal>${goal}</overall_goal>\n</state_snapshot>`);
const LONG = 'a rather long answer that is worth summing up '.repeat(60);
const signal = new AbortController().signal;

async function scripted(): Promise<ModelServer> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  return model;
}

async function talk(config: Config, model: ModelServer, prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    model.replies([text(`${prompt}: ${LONG}`)]);
    await sendPrompt(config, prompt);
  }
}

/** The summary is asked for, then checked by the model itself. */
async function compress(config: Config, model: ModelServer, goal: string): Promise<void> {
  model.replies([SUMMARY(goal)], [SUMMARY(goal)]);
  const events = await config.getGeminiClient().compress('p', signal);
  for (const event of events) config.getEvents().emit(event);
  expect(events).toContainEqual(expect.objectContaining({ status: 'COMPRESSED' }));
}

const prompts = (config: Config) =>
  config
    .getGeminiClient()
    .getChat()
    .getHistory()
    .filter(({ origin }) => origin === 'prompt')
    .map(({ parts }) => textOf(parts));

const fileOf = (config: Config) => config.getChatRecordingService()?.conversationFile ?? '';

/** A new Config, which the engine cannot tell from another process. */
async function resumed(config: Config): Promise<Config> {
  const resume = fileOf(config);
  await config.shutdown();
  const next = new Config({ ...config.parameters, sessions: { resume } });
  onTestFinished(() => next.shutdown());
  await next.initialize();
  return next;
}

it('restores in a resumed session what an earlier process summarised, with later messages', async () => {
  const model = await scripted();
  const first = await createTestConfig({ sessions: {} }, { model });
  await talk(first, model, ['one', 'two', 'three', 'four']);
  await compress(first, model, 'Count.');
  await talk(first, model, ['five']);
  const second = await resumed(first);
  expect(prompts(second)).not.toContain('one');
  await talk(second, model, ['six']);
  expect(await second.getGeminiClient().uncompress()).toBe(true);
  expect(prompts(second)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  await talk(second, model, ['seven']);
  expect(JSON.stringify(model.lastRequest().body.contents)).toContain('one: a rather long answer');
  expect(await second.getGeminiClient().uncompress()).toBe(false);
  const third = await resumed(second);
  expect(prompts(third)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
});

it('undoes one compression after the other, from memory and from the file', async () => {
  const model = await scripted();
  const config = await createTestConfig({ sessions: {} }, { model });
  await talk(config, model, ['one', 'two', 'three', 'four']);
  await compress(config, model, 'First.');
  await talk(config, model, ['five', 'six', 'seven', 'eight']);
  await compress(config, model, 'Second.');
  const client = config.getGeminiClient();
  expect(await client.uncompress()).toBe(true);
  expect(prompts(config)).toContain('five');
  expect(prompts(config)).not.toContain('one');
  expect(await client.uncompress()).toBe(true);
  expect(prompts(config)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']);
  expect(await client.uncompress()).toBe(false);
});

it('does not let many compressions grow the file faster than the conversation', {
  timeout: 30_000,
}, async () => {
  const model = await scripted();
  const config = await createTestConfig({ sessions: {} }, { model });
  const sizes: number[] = [];
  for (let round = 0; round < 12; round++) {
    await talk(
      config,
      model,
      [1, 2, 3, 4].map((n) => `round ${round}, prompt ${n}`),
    );
    await compress(config, model, `Round ${round}.`);
    sizes.push(statSync(fileOf(config)).size);
  }
  const growth = (from: number, to: number) => ((sizes[to] ?? 0) - (sizes[from] ?? 0)) / (to - from);
  expect(growth(6, 11)).toBeLessThan(1.2 * growth(1, 6));
  const file = readFileSync(fileOf(config), 'utf8');
  // Each answer as it was said, and at most once or twice more when it was kept beside a summary.
  expect(file.split('round 5, prompt 1: a rather').length - 1).toBeLessThanOrEqual(3);
  expect(readSession(fileOf(config)).problems).toBeUndefined();
});

it('restores nothing for a conversation that was never compressed, or is not recorded', async () => {
  const model = await scripted();
  const config = await createTestConfig({ sessions: {} }, { model });
  await talk(config, model, ['one']);
  expect(await config.getGeminiClient().uncompress()).toBe(false);
  const silent = await createTestConfig({}, { model });
  await talk(silent, model, ['one']);
  expect(await silent.getGeminiClient().uncompress()).toBe(false);
});

it('/stats and /cost count the calls of a compression alike', async () => {
  const model = await scripted();
  const config = await createTestConfig({}, { model });
  const metrics = emptyMetrics();
  config.getEvents().subscribe((event) => recordMetrics(metrics, event));
  await talk(config, model, ['one', 'two', 'three']);
  await compress(config, model, 'goal');
  const requests = Object.values(metrics.models).map(({ api }) => api.totalRequests);
  const { calls } = config.getLedger().totals();
  expect([calls, requests.reduce((sum, count) => sum + count, 0)]).toEqual([5, 5]);
});

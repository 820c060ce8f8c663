/** The summary of the session before, asked of a real (scripted) server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTestConfig,
  type ModelServer,
  sendPrompt,
  startModelServer,
  tempDir,
  text,
} from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { listSessions } from '../sessions/finding/session-info.js';
import { sessionPlaces } from '../sessions/finding/session-places.js';
import { ChatRecordingService } from '../sessions/recording/chat-recording-service.js';
import type { Config } from './config.js';
import { summariseEarlierSession } from './summarise-earlier.js';

async function scripted(): Promise<ModelServer> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  return model;
}

function recordEarlier(config: Config): void {
  const service = new ChatRecordingService({
    chatsDir: config.storage.getChatsDir(),
    sessionId: 'earlier-session',
    projectHash: () => 'hash',
    now: () => Date.parse('2026-11-15T10:00:00.000Z'),
    redact: (value) => value,
    warn: () => undefined,
  });
  service.recordUser('Why is the login slow?');
  service.recordAnswer({ parts: [{ text: 'It asks twice.' }] });
  service.close();
}

const titles = (config: Config) =>
  listSessions(sessionPlaces(config.storage)).map(({ displayName }) => displayName);

it('summarises the latest session once', async () => {
  const model = await scripted();
  const config = await createTestConfig({ sessions: {} }, { model });
  recordEarlier(config);
  model.replies([text('Find out why the login is slow')]);
  await summariseEarlierSession(config);
  expect(titles(config)).toEqual(['Find out why the login is slow']);
  await summariseEarlierSession(config);
  expect(model.requests).toHaveLength(1);
  expect(JSON.stringify(model.lastRequest().body)).toContain('Why is the login slow?');
  expect(model.lastRequest().path).toContain('flash-lite');
});

it('makes no call in a run without a session list', async () => {
  const model = await scripted();
  const config = await createTestConfig({ sessions: {} }, { model });
  recordEarlier(config);
  model.replies([text('done')]);
  await sendPrompt(config, 'go on');
  expect(model.requests).toHaveLength(1);
  expect(titles(config)).toContain('Why is the login slow?');
});

it('does not count the end of the program as a failure', async () => {
  const model = await scripted();
  const config = await createTestConfig({ sessions: {} }, { model });
  recordEarlier(config);
  const stop = new AbortController();
  model.onRequest = () => stop.abort();
  model.replies([text('too late')]);
  expect(await summariseEarlierSession(config, stop.signal)).toBeUndefined();
  expect(titles(config)).toEqual(['Why is the login slow?']);
});

it('asks no server when the guide was chosen, or nothing is recorded', async () => {
  const config = await createTestConfig({ sessions: {} });
  recordEarlier(config);
  expect(await summariseEarlierSession(config)).toBeUndefined();
  const silent = await createTestConfig({}, { model: await scripted() });
  expect(await summariseEarlierSession(silent)).toBeUndefined();
});

it('takes no recorded answer: those belong to the prompts of their conversation', async () => {
  const dir = tempDir();
  onTestFinished(() => dir.cleanup());
  const path = join(dir.path, 'answers.jsonl');
  const summary = { candidates: [{ content: { role: 'model', parts: [{ text: 'A summary' }] } }] };
  writeFileSync(path, `${JSON.stringify({ method: 'generateContent', response: summary })}\n`);
  const config = await createTestConfig({ sessions: {}, fakeResponses: { path, strict: true } });
  recordEarlier(config);
  await summariseEarlierSession(config);
  expect(titles(config)).toEqual(['Why is the login slow?']);
});

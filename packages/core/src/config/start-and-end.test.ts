/** A Config leaves nothing behind: after a failed start, and after its shutdown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendPrompt, tempDir } from '@gemini-cli/test-utils';
import { afterAll, describe, expect, it } from 'vitest';
import type { HookPorts } from '../agent/hook-ports.js';
import { EventStream } from '../bus/event-stream.js';
import type { ConfigParameters } from '../engine/parameters.js';
import { environmentOf } from '../platform/environment.js';
import { MessageBusType } from '../protocol/confirmation.js';
import { Config } from './config.js';

const folder = tempDir();
afterAll(() => folder.cleanup());

function make(parameters: Partial<ConfigParameters> = {}): Config {
  const variables = { GEMINI_CLI_HOME: join(folder.path, 'home'), PATH: process.env['PATH'] };
  return new Config({
    sessionId: 'first',
    targetDir: folder.path,
    debugMode: false,
    model: 'offline',
    interactive: false,
    environment: environmentOf(variables, folder.path),
    ...parameters,
  });
}

describe('a start that fails', () => {
  it('releases the session, so that the next start continues it', async () => {
    const before = make({ sessions: {} });
    await before.initialize();
    await sendPrompt(before, 'hello');
    const resume = before.getChatRecordingService()?.conversationFile ?? '';
    await before.shutdown();

    const failing = make({ sessions: { resume }, outputSchema: join(folder.path, 'missing.json') });
    await expect(failing.initialize()).rejects.toThrow('missing.json');
    const after = make({ sessions: { resume } });
    await after.initialize();
    expect(after.getSessionId()).toBe('first');
    await after.shutdown();
  });

  it("leaves no listener on the front end's stream", async () => {
    const events = new EventStream();
    const failing = make({ events, outputSchema: join(folder.path, 'missing.json') });
    await expect(failing.initialize()).rejects.toThrow('missing.json');
    expect(listenersOf(events)).toEqual({ subscriptions: 0, views: 1 });
  });
});

it('tells hooks when a session ends and the next one starts in the same engine', async () => {
  const told: string[] = [];
  const hooks: HookPorts = {
    sessionStart: async ({ source }) => {
      told.push(`start: ${source}`);
      return { context: `from ${source}` };
    },
    sessionEnd: async ({ reason }) => void told.push(`end: ${reason}`),
  };
  const config = make({ hooks, interactive: true });
  await config.initialize();
  await sendPrompt(config, 'hello');
  await config.startNewSession('second');
  expect(config.getSessionId()).toBe('second');
  const history = JSON.stringify(config.getGeminiClient().getChat().getHistory());
  expect([history.includes('hello'), history.includes('from clear')]).toEqual([false, true]);
  await config.shutdown('logout');
  expect(told).toEqual(['start: startup', 'end: clear', 'start: clear', 'end: logout']);
});

it('tells hooks why the session begins if the front end knows it', async () => {
  const told: string[] = [];
  const sessionStart: HookPorts['sessionStart'] = async ({ source }) => void told.push(source);
  const config = make({ hooks: { sessionStart }, startSource: 'clear' });
  await config.initialize();
  await config.shutdown();
  expect(told).toEqual(['clear']);
});

describe('shutdown', () => {
  it('waits for a start that is under way, and ends it', async () => {
    let ended = 0;
    const config = make({ hooks: { sessionEnd: async () => void ended++ } });
    const started = config.initialize();
    await config.shutdown();
    await started;
    expect(ended).toBe(1);
  });

  it('before a start does not affect the start after it', async () => {
    let ended = 0;
    const config = make({ hooks: { sessionEnd: async () => void ended++ } });
    await config.shutdown();
    await config.initialize();
    await config.shutdown();
    expect(ended).toBe(1);
  });

  it('ends the session once, however often it is called', async () => {
    let ended = 0;
    const config = make({ hooks: { sessionEnd: async () => void ended++ } });
    await config.initialize();
    await Promise.all([config.shutdown(), config.shutdown()]);
    await config.shutdown();
    expect(ended).toBe(1);
  });

  it('leaves no listener on the stream, which the front end may give to the next engine', async () => {
    const events = new EventStream();
    for (const sessionId of ['one', 'two']) {
      const config = make({ events, sessionId, sessions: {} });
      await config.initialize();
      config.getMessageBus().subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => undefined);
      await sendPrompt(config, 'hello');
      await config.shutdown();
      expect(listenersOf(events)).toEqual({ subscriptions: 0, views: 1 });
      expect(events.questions.canAnswer('tool_confirmation')).toBe(false);
    }
  });

  it('withdraws what the user is asked at the start', async () => {
    mkdirSync(join(folder.path, '.gemini/policies'), { recursive: true });
    writeFileSync(
      join(folder.path, '.gemini/policies/a.toml'),
      '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = 1\n',
    );
    const events = new EventStream();
    const config = make({ events, interactive: true });
    const asked = new Promise<void>((resolve) => {
      events.subscribe(({ type }) => void (type === 'question' && resolve()), { answers: true });
    });
    const started = config.initialize();
    await asked;
    await config.shutdown();
    await started;
    expect(events.questions.open).toBeUndefined();
  });
});

/** The stream does not report its listeners; the test reads its sets. */
function listenersOf(events: EventStream): { subscriptions: number; views: number } {
  const sizeOf = (object: object, name: string) => {
    const set: unknown = Reflect.get(object, name);
    return set instanceof Set ? set.size : -1;
  };
  return { subscriptions: sizeOf(events, 'subscriptions'), views: sizeOf(events.questions, 'views') };
}

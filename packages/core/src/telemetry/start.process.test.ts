import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTelemetryFile, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContentGenerator, GenerateRequest } from '../model/content-generator.js';
import type { TelemetrySettings } from './settings.js';
import { startTelemetry, type Telemetry } from './start.js';

let folder: ReturnType<typeof tempDir>;
let outfile: string;

beforeEach(() => {
  folder = tempDir();
  outfile = join(folder.path, 'telemetry.log');
});
afterEach(() => {
  folder.cleanup();
});

const request: GenerateRequest = {
  model: 'm',
  role: 'main',
  promptId: 'p',
  systemInstruction: 'You are told: hunter2.',
  messages: [{ role: 'user', origin: 'prompt', parts: [{ text: 'the key is hunter2' }] }],
};

const echo: ContentGenerator = {
  async *generateContentStream() {
    yield { candidates: [{ content: { parts: [{ text: 'hunt' }] } }] };
    yield { candidates: [{ content: { parts: [{ text: 'er2' }] }, finishReason: 'STOP' }] };
  },
  generateContent: async () => ({}),
  countTokens: async () => ({ totalTokens: 0 }),
  embedContent: async () => ({ embeddings: [] }),
};

function start(settings: Partial<TelemetrySettings> = {}, env: NodeJS.ProcessEnv = {}): Promise<Telemetry> {
  return startTelemetry({
    settings: { destination: { kind: 'file', path: outfile }, logPrompts: true, traces: false, ...settings },
    sessionId: 'session-1',
    version: '9.9.9',
    interactive: false,
    env: { GEMINI_CLI_HOME: folder.path, ...env },
    now: Date.now,
    redact: (text) => text.replaceAll('hunter2', '***'),
    approvalMode: () => 'default',
    authType: () => 'gemini-api-key',
    warn: (message) => expect.fail(message),
    authorize: async () => ({}),
    writeConsole: () => expect.fail('nothing goes to the console'),
  });
}

/** One prompt, one answer, the end. */
async function converse(telemetry: Telemetry): Promise<void> {
  await telemetry.begin({ model: 'm', debug_mode: false }, [{ name: 'engine', durationMs: 12 }]);
  const parts = [{ text: 'the key is hunter2' }];
  telemetry.observe({ type: 'turn_started', sessionId: 's', promptId: 'p', model: 'm', parts });
  telemetry.observe({ type: 'model_turn_started', turn: 1, model: 'm' });
  const model = telemetry.observeModel(echo, { provider: 'gcp.gemini' });
  for await (const _ of model.generateContentStream(request, new AbortController().signal));
  telemetry.observe({ type: 'content', text: 'hunter2' });
  telemetry.observe({ type: 'turn_finished', reason: 'completed' });
  await telemetry.shutdown();
}
describe('the installation', () => {
  const idPath = () => join(folder.path, '.gemini/installation_id');

  it.skipIf(process.platform === 'win32')('does not wait for a pipe in its place', async () => {
    mkdirSync(join(folder.path, '.gemini'));
    execFileSync('mkfifo', [idPath()]);
    await converse(await start());
    expect(readTelemetryFile(outfile).logs[0]?.attributes['installation.id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

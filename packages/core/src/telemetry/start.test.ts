import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsNamed, metricNamed, readTelemetryFile, tempDir } from '@gemini-cli/test-utils';
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

/** A session with one prompt and one answer. */
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

describe('telemetry to a file', () => {
  it('is completely on disk after shutdown', async () => {
    await converse(await start());
    const records = readTelemetryFile(outfile);
    expect(records.logs.map(({ attributes }) => attributes['event.name'])).toEqual([
      'gemini_cli.config',
      'gemini_cli.startup_stats',
      'gemini_cli.user_prompt',
      'gemini_cli.api_request',
      'gemini_cli.api_response',
      'gen_ai.client.inference.operation.details',
      'gemini_cli.conversation_finished',
    ]);
    expect(records.spans.map(({ name }) => name)).toEqual(['system_prompt', 'llm_call', 'user_prompt']);
    expect(metricNamed(records, 'gemini_cli.session.count')?.dataPoints[0]?.value).toBe(1);
    const memory = metricNamed(records, 'gemini_cli.memory.usage')?.dataPoints ?? [];
    expect(new Set(memory.map(({ attributes }) => attributes['memory_type']))).toEqual(
      new Set(['heap_used', 'heap_total', 'rss', 'external']),
    );
    expect(metricNamed(records, 'gemini_cli.startup.duration')?.dataPoints[0]?.value).toMatchObject({
      sum: 12,
    });
    expect(statSync(outfile).mode & 0o777).toBe(0o600);
  });

  it('has session, installation and time on every record', async () => {
    await converse(await start());
    const id = readFileSync(join(folder.path, '.gemini/installation_id'), 'utf8');
    const { logs, spans, metrics } = readTelemetryFile(outfile);
    for (const { attributes, hrTime, _body } of logs) {
      expect(attributes).toMatchObject({
        'session.id': 'session-1',
        'installation.id': id,
        interactive: false,
        active_approval_mode: 'default',
        auth_type: 'gemini-api-key',
        'event.timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(hrTime).toEqual([expect.any(Number), expect.any(Number)]);
      expect(_body).not.toBe('');
    }
    for (const { resource } of [...logs, ...spans, ...metrics]) {
      expect(resource.attributes).toEqual({
        'service.name': 'gemini-cli',
        'service.version': '9.9.9',
        'session.id': 'session-1',
      });
    }
  });

  it('contains prompts and answers without secrets, even when streaming splits them', async () => {
    await converse(await start({ traces: true }));
    const text = readFileSync(outfile, 'utf8');
    expect(text).not.toContain('hunter2');
    const records = readTelemetryFile(outfile);
    expect(eventsNamed(records, 'gemini_cli.user_prompt')[0]?.['prompt']).toBe('the key is ***');
    expect(eventsNamed(records, 'gemini_cli.api_request')[0]?.['request_text']).toBe(
      '[{"role":"user","parts":[{"text":"the key is ***"}]}]',
    );
    expect(eventsNamed(records, 'gemini_cli.api_response')[0]?.['response_text']).toBe(
      '{"role":"model","parts":[{"text":"***"}]}',
    );
    expect(records.spans[1]?.attributes).toMatchObject({
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"***"}],"finish_reason":"stop"}]',
      'gen_ai.system_instructions': '[{"type":"text","content":"You are told: ***."}]',
    });
  });

  it('has no details in spans without traces, not even the system prompt', async () => {
    await converse(await start());
    const allowed = ['operation.name', 'agent.name', 'agent.description', 'conversation.id'];
    for (const { attributes } of readTelemetryFile(outfile).spans) {
      expect(Object.keys(attributes)).toEqual(allowed.map((name) => `gen_ai.${name}`));
    }
  });

  it('contains no prompts or answers without logPrompts', async () => {
    await converse(await start({ logPrompts: false, traces: true }));
    const text = readFileSync(outfile, 'utf8');
    for (const word of ['the key is', 'You are told', '***']) expect(text).not.toContain(word);
    expect(eventsNamed(readTelemetryFile(outfile), 'gemini_cli.user_prompt')).toMatchObject([
      { prompt_length: 18, prompt_id: 'p' },
    ]);
  });

  it('labels workflow runs without naming the repository', async () => {
    const env = {
      GH_WORKFLOW_NAME: 'triage',
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_EVENT_NAME: 'issues',
      GH_PR_NUMBER: '12',
      GH_ISSUE_NUMBER: '13',
      GH_CUSTOM_TRACKING_ID: 't-1',
    };
    await converse(await start({}, env));
    expect(eventsNamed(readTelemetryFile(outfile), 'gemini_cli.config')[0]).toMatchObject({
      model: 'm',
      debug_mode: false,
      github_workflow_name: 'triage',
      github_repository_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      github_event_name: 'issues',
      github_pr_number: '12',
      github_issue_number: '13',
      github_custom_tracking_id: 't-1',
    });
    expect(readFileSync(outfile, 'utf8')).not.toContain('owner/name');
  });
});

describe('telemetry to the console', () => {
  it("goes to the front end's writer in the same format", async () => {
    const written: string[] = [];
    const telemetry = await startTelemetry({
      settings: { destination: { kind: 'console' }, logPrompts: true, traces: false },
      sessionId: 's',
      version: '1',
      interactive: false,
      env: { GEMINI_CLI_HOME: folder.path },
      now: Date.now,
      redact: (text) => text,
      approvalMode: () => 'default',
      authType: () => undefined,
      warn: (message) => expect.fail(message),
      authorize: async () => ({}),
      writeConsole: (text) => written.push(text),
    });
    await converse(telemetry);
    expect(written.length).toBeGreaterThan(8);
    for (const text of written) expect(text).toMatch(/^\{\n[\s\S]*\n\}\n$/);
  });
});

describe('the installation id', () => {
  const idPath = () => join(folder.path, '.gemini/installation_id');

  it('is kept in a file for the user only', async () => {
    await converse(await start());
    const id = readFileSync(idPath(), 'utf8');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(statSync(idPath()).mode & 0o777).toBe(0o600);
    await converse(await start());
    const ids = readTelemetryFile(outfile).logs.map(({ attributes }) => attributes['installation.id']);
    expect(new Set(ids)).toEqual(new Set([id]));
  });

  it('does not replace a file it did not write', async () => {
    mkdirSync(join(folder.path, '.gemini'));
    writeFileSync(idPath(), 'not an id');
    await converse(await start());
    expect(readFileSync(idPath(), 'utf8')).toBe('not an id');
    expect(readTelemetryFile(outfile).logs[0]?.attributes['installation.id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is created without a writable home directory', async () => {
    writeFileSync(join(folder.path, '.gemini'), 'a file');
    await converse(await start());
    expect(readTelemetryFile(outfile).logs[0]?.attributes['installation.id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

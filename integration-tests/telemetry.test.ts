import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  apiError,
  BUNDLE,
  callTool,
  eventsNamed,
  metricNamed,
  readTelemetryFile,
  silence,
  startOtlpCollector,
  type TestRig,
  testRig,
  text,
  usage,
} from './test-utils.js';

function toFile(
  rig: TestRig,
  more: Record<string, string> = {},
): { outfile: string; env: Record<string, string> } {
  const outfile = join(dirname(rig.home), 'telemetry.log');
  const env = {
    GEMINI_TELEMETRY_ENABLED: 'true',
    GEMINI_TELEMETRY_TARGET: 'local',
    GEMINI_TELEMETRY_OUTFILE: outfile,
    ...more,
  };
  return { outfile, env };
}

describe('The telemetry file', () => {
  it('describes a conversation with a tool call and is complete when the program ends', async () => {
    const rig = await testRig({ files: { 'a.py': 'print(1)\n' } });
    rig.model.replies(
      [
        callTool('read_file', { file_path: 'a.py' }),
        usage({ promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 }),
      ],
      [text('It prints 1.')],
    );
    const { outfile, env } = toFile(rig);
    const run = await rig.cli(
      '-p',
      'what is a.py?',
      '-m',
      'gemini-2.5-flash',
      '--session-id',
      'f9bd9b5c-0c3b-4c3e-9c3a-111111111111',
      {
        env,
      },
    );
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, 'It prints 1.\n', '']);
    const records = readTelemetryFile(outfile);
    for (const { attributes, resource, hrTime, _body } of records.logs) {
      expect(attributes).toMatchObject({
        'event.name': expect.stringMatching(/^(gemini_cli|gen_ai)\./),
        'event.timestamp': expect.stringMatching(/^\d{4}-.*Z$/),
        'session.id': 'f9bd9b5c-0c3b-4c3e-9c3a-111111111111',
        'installation.id': readFileSync(join(rig.home, '.gemini/installation_id'), 'utf8').trim(),
        interactive: false,
        auth_type: 'gemini-api-key',
        active_approval_mode: 'default',
      });
      expect([resource.attributes['service.name'], hrTime.length, typeof _body]).toEqual([
        'gemini-cli',
        2,
        'string',
      ]);
    }
    expect(eventsNamed(records, 'gemini_cli.config')).toMatchObject([
      { model: 'gemini-2.5-flash', approval_mode: 'default', api_key_enabled: true, debug_mode: false },
    ]);
    expect(eventsNamed(records, 'gemini_cli.startup_stats')).toMatchObject([
      { os_platform: process.platform },
    ]);
    const [prompt] = eventsNamed(records, 'gemini_cli.user_prompt');
    expect(prompt).toMatchObject({ prompt: 'what is a.py?', prompt_length: 13 });
    const requests = eventsNamed(records, 'gemini_cli.api_request');
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ model: 'gemini-2.5-flash', prompt_id: prompt?.['prompt_id'] });
    expect(JSON.parse(String(requests[1]?.['request_text'])).at(-1)).toMatchObject({
      role: 'user',
      parts: [{ functionResponse: { name: 'read_file', response: { output: 'print(1)\n' } } }],
    });
    expect(eventsNamed(records, 'gemini_cli.api_response')[0]).toMatchObject({
      status_code: 200,
      input_token_count: 7,
      output_token_count: 3,
      finish_reasons: ['STOP'],
    });
    expect(eventsNamed(records, 'gemini_cli.tool_call')).toMatchObject([
      {
        function_name: 'read_file',
        function_args: '{"file_path":"a.py"}',
        success: true,
        duration_ms: expect.any(Number),
        prompt_id: prompt?.['prompt_id'],
        tool_type: 'native',
      },
    ]);
    expect(eventsNamed(records, 'gemini_cli.file_operation')).toMatchObject([
      { operation: 'read', extension: '.py', programming_language: 'Python' },
    ]);
    expect(eventsNamed(records, 'gemini_cli.conversation_finished')).toMatchObject([{ turnCount: 2 }]);
    expect(metricNamed(records, 'gemini_cli.session.count')?.dataPoints).toMatchObject([{ value: 1 }]);
    expect(metricNamed(records, 'gemini_cli.tool.call.count')?.dataPoints).toMatchObject([{ value: 1 }]);
    const names = records.spans.map(({ name }) => name);
    expect(names.sort()).toEqual([
      'llm_call',
      'llm_call',
      'schedule_tool_calls',
      'system_prompt',
      'tool_call',
      'user_prompt',
    ]);
    expect(new Set(records.spans.map(({ _spanContext }) => _spanContext.traceId)).size).toBe(1);
    expect(JSON.stringify(records.spans)).not.toContain('gen_ai.system_instructions');
  });

  it('can be enabled in settings.json, and grows with every run', async () => {
    const rig = await testRig();
    const outfile = join(dirname(rig.home), 'out.log');
    rig.writeHome(
      'settings.json',
      JSON.stringify({ telemetry: { enabled: true, target: 'local', outfile } }),
    );
    rig.model.repeat(2, [text('hi')]);
    await rig.cli('-p', 'x');
    await rig.cli('-p', 'x');
    const records = readTelemetryFile(outfile);
    expect(eventsNamed(records, 'gemini_cli.user_prompt')).toHaveLength(2);
    expect(new Set(records.logs.map(({ attributes }) => attributes['installation.id'])).size).toBe(1);
    expect(new Set(records.logs.map(({ attributes }) => attributes['session.id'])).size).toBe(2);
  });

  it('records refused, unknown and failed calls', async () => {
    const rig = await testRig();
    rig.model.replies(
      [
        callTool('run_shell_command', { command: 'touch x' }),
        callTool('no_such_tool', {}),
        callTool('read_file', { file_path: 'missing.txt' }),
      ],
      [text('sorry')],
    );
    const { outfile, env } = toFile(rig);
    await rig.cli('-p', 'x', { env });
    const calls = eventsNamed(readTelemetryFile(outfile), 'gemini_cli.tool_call');
    expect(calls.map(({ function_name, success }) => [function_name, success]).sort()).toEqual([
      ['no_such_tool', false],
      ['read_file', false],
      ['run_shell_command', false],
    ]);
    for (const { error, error_type } of calls)
      expect([typeof error, typeof error_type]).toEqual(['string', 'string']);
  });

  it('contains nothing of what was said with logPrompts off', async () => {
    const rig = await testRig({ files: { 'a.txt': 'CONTENT' } });
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [text('ANSWER')]);
    const { outfile, env } = toFile(rig, {
      GEMINI_TELEMETRY_LOG_PROMPTS: 'false',
      GEMINI_TELEMETRY_TRACES_ENABLED: 'true',
    });
    const run = await rig.cli('-p', 'QUESTION', { env });
    expect(run.exitCode).toBe(0);
    const file = readFileSync(outfile, 'utf8');
    for (const word of ['CONTENT', 'ANSWER', 'QUESTION', 'a.txt']) expect(file).not.toContain(word);
    const records = readTelemetryFile(outfile);
    expect(eventsNamed(records, 'gemini_cli.user_prompt')).toMatchObject([{ prompt_length: 8 }]);
    expect(eventsNamed(records, 'gemini_cli.config')).toMatchObject([{ log_user_prompts_enabled: false }]);
  });

  it('contains messages in spans when traces are enabled', async () => {
    const rig = await testRig();
    rig.model.replies([text('ANSWER')]);
    const { outfile, env } = toFile(rig, { GEMINI_TELEMETRY_TRACES_ENABLED: 'true' });
    await rig.cli('-p', 'QUESTION', { env });
    const call = readTelemetryFile(outfile).spans.find(({ name }) => name === 'llm_call');
    expect(call?.attributes['gen_ai.output.messages']).toContain('ANSWER');
    expect(call?.attributes['gen_ai.input.messages']).toContain('QUESTION');
  });

  it('never contains a secret', async () => {
    const secret = 'AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q';
    const rig = await testRig({ files: { '.keys': `key: ${secret}\n` } });
    rig.model.replies([callTool('read_file', { file_path: '.keys' })], [text(`It is ${secret}.`)]);
    const { outfile, env } = toFile(rig, { GEMINI_API_KEY: secret, GEMINI_TELEMETRY_TRACES_ENABLED: 'true' });
    const run = await rig.cli('-p', `is ${secret} in .keys?`, { env });
    expect(run.exitCode, run.stderr).toBe(0);
    const file = readFileSync(outfile, 'utf8');
    expect(file).toContain(' in .keys?');
    expect(file).not.toContain(secret);
  });

  it('is flushed when the model fails permanently', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(400, 'bad request')]);
    const { outfile, env } = toFile(rig);
    const run = await rig.cli('-p', 'x', { env });
    expect(run.exitCode).toBe(1);
    const records = readTelemetryFile(outfile);
    expect(eventsNamed(records, 'gemini_cli.api_error')).toMatchObject([
      { status_code: 400, error_type: 'ApiError' },
    ]);
    expect(metricNamed(records, 'gemini_cli.session.count')).toBeDefined();
  });

  it('is flushed when a replay runs out of answers', async () => {
    const rig = await testRig();
    const { outfile, env } = toFile(rig);
    const run = await rig.cli('-p', 'x', '-m', 'any', '--fake-responses', rig.writeHome('r.jsonl', ''), {
      env,
    });
    expect(run.exitCode).toBe(1);
    expect(eventsNamed(readTelemetryFile(outfile), 'gemini_cli.api_error')[0]?.['error.message']).toMatch(
      /^No more mock responses for generateContentStream, got request:/,
    );
  });

  it('is flushed when a signal ends the program', async () => {
    const rig = await testRig();
    rig.model.replies([silence()]);
    const { outfile, env } = toFile(rig);
    const run = await rig.cli('-p', 'x', { env, signalAfter: { request: 1, signal: 'SIGTERM' } });
    expect(run.exitCode).toBe(143);
    const records = readTelemetryFile(outfile);
    expect(eventsNamed(records, 'gemini_cli.user_prompt')).toHaveLength(1);
    expect(metricNamed(records, 'gemini_cli.session.count')).toBeDefined();
  });

  it('that cannot be written costs a warning, not the answer', async () => {
    const rig = await testRig();
    rig.model.replies([text('fine')]);
    const { outfile, env } = toFile(rig);
    mkdirSync(outfile);
    const run = await rig.cli('-p', 'x', { env });
    expect([run.exitCode, run.stdout]).toEqual([0, 'fine\n']);
    expect(run.stderr.match(/Telemetry cannot be written/g)).toHaveLength(1);
  });
});

describe('A collector', () => {
  it.each(['http', 'grpc'] as const)('gets everything over %s', async (protocol) => {
    const collector = await startOtlpCollector({ protocol });
    onTestFinished(() => collector.close());
    const rig = await testRig();
    rig.model.replies([text('hi')]);
    const run = await rig.cli('-p', 'QUESTION', {
      env: {
        GEMINI_TELEMETRY_ENABLED: 'true',
        GEMINI_TELEMETRY_OTLP_ENDPOINT: collector.url,
        GEMINI_TELEMETRY_OTLP_PROTOCOL: protocol,
      },
    });
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, 'hi\n', '']);
    const sent = collector.exports.map(({ body }) => body.toString('latin1')).join('');
    for (const name of ['gemini_cli.user_prompt', 'QUESTION', 'gemini_cli.session.count', 'llm_call']) {
      expect(sent).toContain(name);
    }
  });

  it('that is not there costs a warning, not the answer', async () => {
    const collector = await startOtlpCollector({ protocol: 'grpc' });
    await collector.close();
    const rig = await testRig();
    rig.model.replies([text('fine')]);
    const env = { GEMINI_TELEMETRY_ENABLED: 'true', GEMINI_TELEMETRY_OTLP_ENDPOINT: collector.url };
    const run = await rig.cli('-p', 'x', { env });
    expect([run.exitCode, run.stdout]).toEqual([0, 'fine\n']);
    expect(run.stderr.match(/Telemetry cannot be sent/g)).toHaveLength(1);
  });
});

describe('The console target', () => {
  it('is stderr, and only when enabled', async () => {
    const rig = await testRig();
    rig.model.replies([text('hi')]);
    const env = { GEMINI_TELEMETRY_ENABLED: 'true', GEMINI_TELEMETRY_TARGET: 'console' };
    const run = await rig.cli('-p', 'x', { env });
    expect([run.exitCode, run.stdout]).toEqual([0, 'hi\n']);
    expect(run.stderr).toContain('"event.name": "gemini_cli.user_prompt"');
  });
});

describe('A mistake', () => {
  it.each([
    ['GEMINI_TELEMETRY_TARGET', 'cloud', 'local, gcp, console'],
    ['GEMINI_TELEMETRY_OTLP_PROTOCOL', 'udp', 'grpc, http'],
  ])('in %s=%s ends with 52 and the valid values', async (name, value, valid) => {
    const rig = await testRig();
    const run = await rig.cli('-p', 'x', { env: { GEMINI_TELEMETRY_ENABLED: 'true', [name]: value } });
    expect(run.exitCode).toBe(52);
    expect(run.stderr).toContain(valid);
  });

  it('in the credentials for Google Cloud costs a warning, not the answer', async () => {
    const rig = await testRig({ settings: { telemetry: { enabled: true, target: 'gcp' } } });
    rig.model.replies([text('fine')]);
    const env = { GOOGLE_CLOUD_PROJECT: 'my-project', GOOGLE_APPLICATION_CREDENTIALS: '/no/such.json' };
    const run = await rig.cli('-p', 'x', { env });
    expect([run.exitCode, run.stdout]).toEqual([0, 'fine\n']);
    expect(run.stderr.match(/Telemetry cannot be sent/g)).toHaveLength(1);
    expect(run.stderr).toContain('(GOOGLE_APPLICATION_CREDENTIALS) does not exist');
  });

  it('of settings that exclude each other disables telemetry, with a warning', async () => {
    const rig = await testRig({
      settings: { telemetry: { enabled: true, useCollector: true, useCliAuth: true } },
    });
    rig.model.replies([text('fine')]);
    const run = await rig.cli('-p', 'x');
    expect([run.exitCode, run.stdout]).toEqual([0, 'fine\n']);
    expect(run.stderr).toContain('Telemetry is off');
  });
});

describe('Without telemetry', () => {
  it.each([
    ['not mentioned', {}],
    ['disabled', { telemetry: { enabled: false, target: 'local', otlpEndpoint: 'http://127.0.0.1:4317' } }],
  ])('(%s) only the model is contacted, and no telemetry code is loaded', async (_name, settings) => {
    const rig = await testRig({ settings });
    rig.model.replies([text('hi')]);
    const seen = await watched(rig, {});
    const model = new URL(rig.model.url).host;
    expect(new Set(seen.connections)).toEqual(new Set([model]));
    expect([seen.lookups.filter((host) => host !== '127.0.0.1'), seen.datagrams]).toEqual([[], 0]);
    expect(loadedTelemetry(seen.modules)).toEqual([]);
  });

  it('the watcher works: a file loads only our code, a collector is connected to', async () => {
    const rig = await testRig();
    rig.model.repeat(2, [text('hi')]);
    const file = loadedTelemetry((await watched(rig, toFile(rig).env)).modules);
    expect(file).toContain('packages/core/src/telemetry/start.ts');
    expect(file.filter((source) => source.includes('node_modules/'))).toEqual([]);
    const collector = await startOtlpCollector({ protocol: 'http' });
    onTestFinished(() => collector.close());
    const seen = await watched(rig, {
      GEMINI_TELEMETRY_ENABLED: 'true',
      GEMINI_TELEMETRY_OTLP_PROTOCOL: 'http',
      GEMINI_TELEMETRY_OTLP_ENDPOINT: collector.url,
    });
    expect(seen.connections).toContain(new URL(collector.url).host);
  });
});

interface Seen {
  connections: string[];
  lookups: string[];
  datagrams: number;
  modules: string[];
}

/** Runs the program with a preloaded script that records its connections and loaded files. */
async function watched(rig: TestRig, env: Record<string, string>): Promise<Seen> {
  const report = join(dirname(rig.home), 'seen.json');
  const preload = join(import.meta.dirname, 'fixtures/watch-process.cjs');
  const run = await rig.cli('-p', 'hello', {
    env: { ...env, NODE_OPTIONS: `--require=${preload}`, WATCH_PROCESS_FILE: report },
  });
  expect([run.exitCode, run.stdout]).toEqual([0, 'hi\n']);
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** Telemetry sources and their libraries in the loaded chunks. */
function loadedTelemetry(modules: readonly string[]): string[] {
  const loaded = new Set(modules.map((path) => basename(path)));
  const meta: { outputs: Record<string, { inputs: Record<string, unknown> }> } = JSON.parse(
    readFileSync(join(dirname(BUNDLE), 'meta.json'), 'utf8'),
  );
  return Object.entries(meta.outputs)
    .filter(([path]) => loaded.has(basename(path)))
    .flatMap(([, { inputs }]) => Object.keys(inputs))
    .filter((source) =>
      /telemetry\/(start|active-recorder|otlp|file-exporter)|@opentelemetry|@grpc/.test(source),
    );
}

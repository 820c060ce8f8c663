/** One conversation over several providers: what `model.fallbacks` promises, through the built program. */
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  anthropicError,
  apiError,
  callTool,
  cut,
  openAiError,
  type RigOptions,
  startAnthropicServer,
  startOpenAiServer,
  testRig,
  text,
  usage,
} from '../test-utils.js';

const FALLBACKS = ['openai/big', 'anthropic/claude-x', 'ollama/small:1b'];

/** Google, OpenAI, Anthropic and a custom server, all scripted. */
async function fourProviders(options: RigOptions = {}, fallbacks: unknown[] = FALLBACKS) {
  const openai = await startOpenAiServer();
  const ollama = await startOpenAiServer();
  const anthropic = await startAnthropicServer();
  onTestFinished(() => anthropic.close());
  const rig = await testRig({
    ...options,
    settings: { model: { fallbacks } },
    env: {
      OPENAI_API_KEY: 'key-of-openai',
      OPENAI_BASE_URL: openai.url,
      ANTHROPIC_API_KEY: 'key-of-anthropic',
      ANTHROPIC_BASE_URL: anthropic.url,
      OLLAMA_HOST: ollama.origin,
      ...options.env,
    },
  });
  return { rig, openai, ollama, anthropic };
}

const counted = (prompt: number, answer: number) =>
  usage({ promptTokenCount: prompt, candidatesTokenCount: answer });

describe('A task of five tools while one provider after the other fails', () => {
  async function run(format: string) {
    const { rig, openai, ollama, anthropic } = await fourProviders({
      files: { 'notes.txt': 'the answer is 42\n' },
    });
    rig.model.replies(
      [callTool('list_directory', { dir_path: '.' }), counted(1000, 11)],
      [apiError(429, 'Too many requests', { retryDelay: '20s' })],
    );
    openai.replies(
      [callTool('read_file', { file_path: 'notes.txt' }), counted(2000, 12)],
      [text('I have seen'), cut()],
    );
    anthropic.replies(
      [callTool('grep_search', { pattern: 'answer' }), counted(3000, 13)],
      [anthropicError(529, 'overloaded_error', 'Overloaded')],
    );
    ollama.replies(
      [callTool('write_file', { file_path: 'copy.txt', content: '42\n' }), counted(4000, 14)],
      [callTool('run_shell_command', { command: 'cat copy.txt notes.txt' }), counted(5000, 15)],
      [text('It is 42.'), counted(6000, 16)],
    );
    const done = await rig.cli('-p', 'find the answer', '-m', 'flash', '-y', '-o', format);
    expect(done.exitCode, done.stderr).toBe(0);
    return { done, rig, openai, ollama, anthropic };
  }

  it('is completed with one history that every provider accepts', async () => {
    const { done, rig, openai, ollama, anthropic } = await run('text');
    expect(done.stdout.trim().endsWith('It is 42.')).toBe(true);
    expect(rig.read('copy.txt')).toBe('42\n');
    expect([rig.model, openai, anthropic, ollama].map(({ requests }) => requests.length)).toEqual([
      2, 2, 2, 3,
    ]);
    expect(anthropic.refused).toEqual([]);
    const last = ollama.lastRequest().body.messages;
    const called = last.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
    expect(called).toEqual(['list_directory', 'read_file', 'grep_search', 'write_file', 'run_shell_command']);
    expect(last.filter(({ role }) => role === 'tool')).toHaveLength(5);
    expect(JSON.stringify(last)).not.toContain('I have seen');
    for (const to of FALLBACKS) expect(done.stderr.split(`Continuing with ${to}`)).toHaveLength(2);
  });

  it('lists each switch once and counts every token in json', async () => {
    const { done } = await run('json');
    const { warnings = [], stats } = done.json();
    expect(warnings.filter((warning) => warning.includes('Continuing with'))).toHaveLength(3);
    const tokens = Object.entries(stats?.models ?? {}).map(([name, model]) => [name, model.tokens.total]);
    const total = tokens.reduce((sum, [, count]) => sum + Number(count), 0);
    expect(total, JSON.stringify(tokens)).toBe(1011 + 2012 + 3013 + 4014 + 5015 + 6016);
  });

  it('reports each switch as an event in stream-json', async () => {
    const { done } = await run('stream-json');
    const switches = done.events().filter((event) => event['to'] !== undefined);
    expect(
      switches.map(({ type, severity, from, to, reason }) => [type, severity, from, to, reason]),
    ).toEqual([
      ['error', 'warning', 'gemini-3.8-flash', FALLBACKS[0], 'rate_limit'],
      ['error', 'warning', FALLBACKS[0], FALLBACKS[1], 'unavailable'],
      ['error', 'warning', FALLBACKS[1], FALLBACKS[2], 'overloaded'],
    ]);
  });
});

describe('a fallback', () => {
  it('serves only the errors in its list', async () => {
    const { rig, openai, ollama } = await fourProviders({}, [
      { model: 'openai/big', on: ['quota'] },
      { model: 'ollama/small:1b', on: ['rate_limit'] },
    ]);
    rig.model.replies([apiError(429, 'slow down', { retryDelay: '60s' })]);
    ollama.replies([text('local')]);
    const done = await rig.cli('-p', 'x', '-m', 'flash');
    expect(done.stdout, done.stderr).toBe('local\n');
    expect(openai.requests).toEqual([]);
  });

  it('without a key is skipped, and the user is told', async () => {
    const ollama = await startOpenAiServer();
    const paid = { type: 'openai', baseUrl: 'https://paid.invalid/v1', apiKeyEnv: 'KEY_OF_PAID' };
    const rig = await testRig({
      settings: { model: { fallbacks: ['paid/big', 'ollama/small:1b'], providers: { paid } } },
      env: { OLLAMA_HOST: ollama.origin },
    });
    rig.model.replies([apiError(429, 'slow down', { retryDelay: '60s' })]);
    ollama.replies([text('local')]);
    const done = await rig.cli('-p', 'x', '-m', 'flash');
    expect(done.stdout, done.stderr).toBe('local\n');
    expect(done.stderr).toContain('KEY_OF_PAID');
  });

  it('does not hide our mistakes: 400 and 401 end the run', async () => {
    for (const [status, exitCode] of [
      [400, 1],
      [401, 41],
    ] as const) {
      const { rig, openai } = await fourProviders();
      rig.model.replies([apiError(status, 'no')]);
      const done = await rig.cli('-p', 'x', '-m', 'flash');
      expect(done.exitCode).toBe(exitCode);
      expect(openai.requests).toEqual([]);
    }
  });

  it('at the end of the list is retried as often as a single model', async () => {
    const { rig, openai } = await fourProviders({}, ['openai/big']);
    rig.model.replies([apiError(503, 'overloaded')]);
    openai.replies([openAiError(429, 'slow', { headers: { 'retry-after': '0' } })], [text('at last')]);
    const done = await rig.cli('-p', 'x', '-m', 'flash');
    expect(done.stdout, done.stderr).toBe('at last\n');
  });

  it('never takes over from a named model unless the settings list one', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(429, 'limit: 0, model: gemini-2.5-pro')]);
    const done = await rig.cli('-p', 'x', '-m', 'gemini-2.5-pro');
    expect(done.exitCode).toBe(1);
    expect(rig.model.requests).toHaveLength(1);
  });

  it('of auto is the next model of its chain', async () => {
    const rig = await testRig();
    rig.model.replies([apiError(429, 'limit: 0')], [text('from the other tier')]);
    const done = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(done.exitCode, done.stderr).toBe(0);
    const models = rig.model.requests.map(({ model }) => model);
    expect(new Set(models).size).toBe(2);
    expect(done.events().filter((event) => event['to'] !== undefined)).toHaveLength(1);
  });
});

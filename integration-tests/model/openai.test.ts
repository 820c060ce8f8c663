/** The whole program with a model behind an OpenAI-compatible server, as Ollama offers one. */
import { describe, expect, it } from 'vitest';
import {
  callTool,
  chunk,
  chunks,
  cut,
  finish,
  type OpenAiServer,
  type OpenAiStyle,
  openAiError,
  pieces,
  type RigOptions,
  raw,
  respond,
  type Script,
  startOpenAiServer,
  type TestRig,
  testRig,
  text,
  thought,
  usage,
  wrongContentType,
} from '../test-utils.js';

const MODEL = ['-m', 'ollama/small:1b'];

/** No Google key is set: none is needed. */
async function bed(
  options: RigOptions = {},
  style: OpenAiStyle = {},
): Promise<{ rig: TestRig; server: OpenAiServer }> {
  const server = await startOpenAiServer(style);
  const env = { GEMINI_API_KEY: undefined, OLLAMA_HOST: server.origin, ...options.env };
  return { rig: await testRig({ ...options, env }), server };
}

describe('A prompt', () => {
  it('is answered without any Google account', async () => {
    const { rig, server } = await bed();
    server.replies([
      thought('hm'),
      chunks(['Hel', 'lo']),
      usage({ promptTokenCount: 40, candidatesTokenCount: 2 }),
    ]);
    const run = await rig.cli('-p', 'hi', ...MODEL, '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('Hello');
    const [tokens] = Object.values(run.json().stats?.models ?? {}).map((model) => model.tokens);
    expect(tokens).toMatchObject({ prompt: 40, candidates: 2, total: 42 });
    const { body, path, headers } = server.lastRequest();
    expect(path).toBe('/v1/chat/completions');
    expect(body.model).toBe('small:1b');
    expect(body.messages[0]?.role).toBe('system');
    expect(body.messages.at(-1)?.content).toContain('hi');
    expect(headers['authorization']).toBeUndefined();
    expect(rig.model.requests).toEqual([]);
  });

  it('arrives whole, however the network splits the bytes', async () => {
    const { rig, server } = await bed();
    server.replies([pieces(1, raw(': ping\n\n'), text('größe '), raw('data: }broken{\n\n'), text('🎉'))]);
    expect((await rig.cli('-p', 'x', ...MODEL)).stdout).toBe('größe 🎉\n');
  });
});

describe('Tools', () => {
  it('are declared, run and answered, over several turns', async () => {
    const { rig, server } = await bed({ files: { 'a.txt': 'A', 'b.txt': 'B' } }, { fragment: 2 });
    server.replies(
      [
        text('reading'),
        callTool('read_file', { file_path: 'a.txt' }, 'c1'),
        callTool('read_file', { file_path: 'b.txt' }),
      ],
      [callTool('write_file', { file_path: 'c.txt', content: 'größe "AB"\n' }, 'c3')],
      [text('done')],
    );
    const run = await rig.cli('-p', 'go', ...MODEL, '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(rig.read('c.txt')).toBe('größe "AB"\n');
    expect(server.requests[0]?.body.tools?.map((tool) => tool.function.name)).toContain('read_file');
    const messages = server.requests[1]?.body.messages ?? [];
    const [assistant, first, second] = messages.slice(-3);
    expect(assistant).toMatchObject({ role: 'assistant', content: 'reading' });
    const ids = assistant?.tool_calls?.map(({ id }) => id) ?? [];
    expect(ids[0]).toBe('c1');
    expect(first).toEqual({ role: 'tool', tool_call_id: ids[0], content: 'A' });
    expect(second).toEqual({ role: 'tool', tool_call_id: ids[1], content: 'B' });
  });

  it('called in plain text by a small model are run too, and that text is not shown', async () => {
    const { rig, server } = await bed({ files: { 'a.txt': 'A' } });
    const words = '<tool_call>\n{"name": "read_file", "arguments": {"file_path": "a.txt"}}\n</tool_call>';
    server.replies([chunks([...words])], [text('it says A')]);
    const run = await rig.cli('-p', 'go', ...MODEL);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('it says A\n');
    expect(server.lastRequest().body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'A' });
  });

  it('are not declared for a model without tool support', async () => {
    const { rig, server } = await bed();
    server.replies([openAiError(400, 'library/small:1b does not support tools')], [text('just chatting')]);
    const run = await rig.cli('-p', 'go', ...MODEL);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('just chatting\n');
    expect(server.requests.map(({ body }) => body.tools === undefined)).toEqual([false, true]);
  });

  it.each<[string, Script]>([
    ['broken arguments', [callTool('write_file', '{"file_path":"bad.txt","content":"x')]],
    [
      'a stream that ends early',
      [callTool('write_file', { file_path: 'bad.txt', content: 'x' }), finish('')],
    ],
    ['a cut', [callTool('write_file', { file_path: 'bad.txt', content: 'x' }), cut()]],
    [
      'a lost chunk',
      [callTool('write_file', { file_path: 'bad.txt', content: 'x' }), raw('data: {"cho\n\n')],
    ],
  ])('are not run after %s; the answer is requested again', async (_what, script) => {
    const { rig, server } = await bed();
    server.replies(script, [text('recovered')]);
    const run = await rig.cli('-p', 'go', ...MODEL, '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toBe('recovered\n');
    expect(rig.exists('bad.txt')).toBe(false);
  });
});

describe('An error', () => {
  it('of a limit with Retry-After, or inside a stream, is retried', async () => {
    const { rig, server } = await bed();
    server.replies(
      [openAiError(429, 'slow down', { headers: { 'retry-after': '0' } })],
      [text('x'), chunk({ error: { message: 'overloaded', code: 503 } })],
      [text('recovered')],
    );
    const run = await rig.cli('-p', 'x', ...MODEL, '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('recovered');
    expect(run.stderr).toMatch(/attempt 1\/\d+.*retrying in/i);
  });

  it.each<[string, Script, RegExp]>([
    ['400', [openAiError(400, 'bad field')], /ollama\/small:1b, HTTP 400: bad field/],
    ['404', [respond(404, '{"error":"model not found"}')], /HTTP 404: model not found.*ollama pull/],
    [
      'no credit',
      [openAiError(429, 'no money', { code: 'insufficient_quota' })],
      /HTTP 429: no money.*another model/,
    ],
    ['a web page', [wrongContentType()], /text\/html.*base URL/],
  ])('(%s) ends at once with one clear message', async (_what, script, message) => {
    const { rig, server } = await bed();
    server.replies(script);
    const run = await rig.cli('-p', 'x', ...MODEL, '-o', 'json');
    expect(run.exitCode).toBe(1);
    expect(server.requests).toHaveLength(1);
    expect(run.json().error?.message).toMatch(message);
  });

  it('with 401 names the provider and ends like a failed sign-in', async () => {
    const { rig, server } = await bed({ env: { OPENAI_API_KEY: 'sk-wrong' } });
    server.replies([openAiError(401, 'Incorrect API key provided', { code: 'invalid_api_key' })]);
    const run = await rig.cli('-p', 'x', '-m', 'openai/gpt-4o', { env: { OPENAI_BASE_URL: server.url } });
    expect(run.exitCode).toBe(41);
    expect(run.stderr).toMatch(/openai\/gpt-4o, HTTP 401: Incorrect API key provided.*Check the key/);
    expect(run.stderr).not.toContain('sk-wrong');
    expect(server.requests).toHaveLength(1);
  });

  it('of a server that is not running says where it should be and how to start it', async () => {
    const { rig, server } = await bed();
    await server.close();
    const run = await rig.cli('-p', 'x', ...MODEL, '-o', 'json', { env: { OLLAMA_HOST: '127.0.0.1:9' } });
    expect(run.exitCode).toBe(1);
    expect(run.json().error?.message).toMatch(/http:\/\/127\.0\.0\.1:9\/v1.*ollama serve/);
    expect(run.stderr).not.toContain('retrying');
  });
});

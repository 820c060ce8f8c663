import { describe, expect, it } from 'vitest';
import { callTool, testRig, text, thought, toolResponses } from '../test-utils.js';

const MODEL = 'gemini-2.5-flash';

describe('Requests', () => {
  it('have the form that the API expects', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'hello there', '-m', MODEL);
    const request = rig.model.lastRequest();
    expect(request.httpMethod).toBe('POST');
    expect(request.path).toBe(`/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`);
    expect(request.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'x-goog-api-key': 'test',
      'user-agent': expect.stringMatching(new RegExp(`^GeminiCLI\\S*/\\S+/${MODEL} \\(`)),
    });
    const { contents, systemInstruction, tools } = request.body;
    expect(contents.map(({ role }) => role)).toEqual(['user']);
    expect(contents[0]?.parts.at(-1)).toEqual({ text: 'hello there' });
    expect(systemInstruction?.parts[0]?.text).toBeTruthy();
    const declaration = tools?.[0]?.functionDeclarations?.find(({ name }) => name === 'read_file');
    expect(declaration?.parametersJsonSchema).toMatchObject({ type: 'object', required: ['file_path'] });
  });

  it('use the path of the base URL too', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x', '-m', MODEL, { env: { GOOGLE_GEMINI_BASE_URL: `${rig.model.url}/proxy/` } });
    expect(rig.model.lastRequest().path).toBe(`/proxy/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`);
  });

  it('go to a gateway without a key', async () => {
    const rig = await testRig({ env: { GEMINI_API_KEY: undefined } });
    rig.model.replies([text('ok')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('ok\n');
  });

  it('alternate user and model, with the calls and their answers', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    rig.model.replies([text('hm'), callTool('read_file', { file_path: 'a.txt' }, 'id-1')], [text('ok')]);
    await rig.cli('-p', 'x', '-m', MODEL);
    const { contents } = rig.model.lastRequest().body;
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
    expect(contents[1]?.parts).toMatchObject([
      { text: 'hm' },
      { functionCall: { id: 'id-1', name: 'read_file', args: { file_path: 'a.txt' } } },
    ]);
    expect(contents[2]?.parts).toEqual([
      { functionResponse: { id: 'id-1', name: 'read_file', response: { output: 'A' } } },
    ]);
  });
});

describe('Thoughts', () => {
  it('are not sent back, their signatures are, unchanged', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const call = callTool('read_file', { file_path: 'a.txt' }, { id: 'c', thoughtSignature: 'c2lnbmF0dXJl' });
    rig.model.replies([thought('**Plan** think think'), call], [text('ok')]);
    await rig.cli('-p', 'x', '-m', MODEL);
    const parts = rig.model.lastRequest().body.contents[1]?.parts;
    expect(parts).toEqual([
      {
        functionCall: { id: 'c', name: 'read_file', args: { file_path: 'a.txt' } },
        thoughtSignature: 'c2lnbmF0dXJl',
      },
    ]);
    expect(JSON.stringify(rig.model.lastRequest().body)).not.toContain('think think');
  });

  it('without a signature on the first call get the one that skips the check, later calls none', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const call = (id: string) => callTool('read_file', { file_path: 'a.txt' }, id);
    rig.model.replies([call('1'), call('2')], [call('3')], [text('ok')]);
    await rig.cli('-p', 'x', '-m', MODEL);
    const calls = rig.model
      .lastRequest()
      .body.contents.flatMap(({ parts }) => parts.filter((part) => part.functionCall));
    expect(calls.map((part) => part.thoughtSignature)).toEqual([
      'skip_thought_signature_validator',
      undefined,
      'skip_thought_signature_validator',
    ]);
  });
});

describe('Call ids', () => {
  it('are created where missing, unique, and used for the answer', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
    rig.model.replies(
      [callTool('read_file', { file_path: 'a.txt' }), callTool('read_file', { file_path: 'b.txt' })],
      [callTool('read_file', { file_path: 'a.txt' })],
      [text('ok')],
    );
    await rig.cli('-p', 'x', '-m', MODEL);
    const { contents } = rig.model.lastRequest().body;
    const calls = contents.flatMap(({ parts }) =>
      parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.id] : [])),
    );
    const answers = contents.flatMap(({ parts }) =>
      parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.id] : [])),
    );
    expect(answers).toEqual(calls);
    expect(new Set(calls).size).toBe(3);
  });

  it('that the model repeats still get two answers in order', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
    rig.model.replies(
      [
        callTool('read_file', { file_path: 'a.txt' }, 'same'),
        callTool('read_file', { file_path: 'b.txt' }, 'same'),
      ],
      [text('ok')],
    );
    const run = await rig.cli('-p', 'x', '-m', MODEL);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(toolResponses(rig).map(({ response }) => response)).toEqual([{ output: 'A' }, { output: 'B' }]);
  });
});

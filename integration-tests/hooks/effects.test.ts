/** What hooks can do to a run, in every output format. */
import { describe, expect, it } from 'vitest';
import { callTool, delay, testRig, text, toolResponses, userText } from '../test-utils.js';
import { type EventName, loggedInputs, logging, printing } from './hook-log.js';

const hook = (command: string, more: object = {}) => ({
  hooks: [{ type: 'command', name: 'h', command, ...more }],
});
const on = (event: EventName, command: string, more: object = {}) => ({
  settings: { hooks: { [event]: [{ ...hook(command), ...more }] } },
});
const specific = (hookSpecificOutput: object) => ({ hookSpecificOutput });

describe('A stop', () => {
  it.each<[EventName, number, string]>([
    ['BeforeAgent', 0, ''],
    ['BeforeModel', 0, ''],
    ['AfterModel', 1, ''],
    ['AfterAgent', 1, 'hi'],
  ])('by %s ends a run well, in every format', async (event, requests, answer) => {
    const rig = await testRig(on(event, printing({ continue: false, stopReason: 'enough' })));
    const line = 'Agent execution stopped: enough';
    rig.model.replies([text('hi')], [text('hi')], [text('hi')]);
    const plain = await rig.cli('-p', 'x');
    expect([plain.exitCode, plain.stdout.trim()], plain.stderr).toEqual([0, answer]);
    expect(plain.stderr).toContain(line);
    expect(rig.model.requests).toHaveLength(requests);
    const json = await rig.cli('-p', 'x', '-o', 'json');
    expect(json.exitCode).toBe(0);
    expect(json.json()).toMatchObject({ response: answer, warnings: [line] });
    const stream = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(stream.events()).toContainEqual(
      expect.objectContaining({ type: 'error', severity: 'warning', message: line }),
    );
    expect(stream.events().at(-1)).toMatchObject({ type: 'result', status: 'success' });
  });

  it('by a tool hook ends the run after the tool', async () => {
    const rig = await testRig(on('AfterTool', printing({ continue: false, systemMessage: 'that is all' })));
    rig.write('a.txt', 'A');
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [text('never')]);
    const run = await rig.cli('-p', 'x');
    expect([run.exitCode, run.stdout]).toEqual([0, '']);
    expect(run.stderr).toContain('Agent execution stopped: that is all');
    expect(rig.model.requests).toHaveLength(1);
  });
});

describe('A block', () => {
  it.each<[EventName, number]>([
    ['BeforeAgent', 0],
    ['BeforeModel', 0],
    ['AfterModel', 1],
  ])('by %s, also by exit code 2, ends the turn with a warning', async (event, requests) => {
    const rig = await testRig(on(event, 'echo not now >&2; exit 2'));
    rig.model.replies([text('hi')], [text('hi')]);
    const run = await rig.cli('-p', 'x');
    expect([run.exitCode, run.stdout]).toEqual([0, '']);
    expect(run.stderr).toContain('[WARNING] Agent execution blocked: not now');
    expect(rig.model.requests).toHaveLength(requests);
    const json = await rig.cli('-p', 'x', '-o', 'json');
    expect(json.json().warnings).toEqual(['Agent execution blocked: not now']);
  });

  it('with an answer shows the answer first', async () => {
    const candidates = [{ content: { role: 'model', parts: ['made up'] } }];
    const output = { decision: 'deny', reason: 'why', ...specific({ llm_response: { candidates } }) };
    const rig = await testRig(on('BeforeModel', printing(output)));
    const run = await rig.cli('-p', 'x');
    expect([run.exitCode, run.stdout]).toEqual([0, 'made up\n']);
    expect(run.stderr).toContain('[WARNING] Agent execution blocked: why');
    expect(rig.model.requests).toEqual([]);
  });

  it('of a tool reaches the model as an error, and the turn continues', async () => {
    const rig = await testRig(
      on('BeforeTool', 'echo no secrets >&2; exit 2', { matcher: 'write_file|replace' }),
    );
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'x' })], [text('ok')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(run.stdout).toBe('ok\n');
    expect(toolResponses(rig)[0]?.response['error']).toBe('no secrets');
    expect(run.stderr).toContain('Error executing tool write_file: Refused by the hook h: no secrets');
    expect(rig.exists('a.txt')).toBe(false);
  });
});

describe('Hooks of tools', () => {
  it('rewrite arguments, which the model is told, and add to the result', async () => {
    const rewrite = printing(specific({ tool_input: { content: 'clean' } }));
    const rig = await testRig({
      settings: {
        hooks: {
          BeforeTool: [{ matcher: 'write_', ...hook(rewrite) }],
          AfterTool: [hook(printing(specific({ additionalContext: 'formatted' })))],
        },
      },
    });
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'dirty' })], [text('ok')]);
    await rig.cli('-p', 'x', '--approval-mode', 'yolo');
    expect(rig.read('a.txt')).toBe('clean');
    const answer = JSON.stringify(toolResponses(rig)[0]?.response);
    expect(answer).toContain('content');
    expect(answer).toContain('<hook_context>formatted</hook_context>');
  });

  it('run another tool in place of the first, which has hooks of its own', async () => {
    const tail = printing(
      specific({ tailToolCallRequest: { name: 'read_file', args: { file_path: 'b.txt' } } }),
    );
    const rig = await testRig({
      files: { 'a.txt': 'A', 'b.txt': 'B' },
      settings: {
        hooks: {
          AfterTool: [{ matcher: 'list_directory', ...hook(tail) }, hook(logging(), { name: 'log' })],
        },
      },
    });
    rig.model.replies([callTool('list_directory', { dir_path: '.' })], [text('ok')]);
    await rig.cli('-p', 'x');
    expect(toolResponses(rig)[0]?.response['output']).toContain('B');
    expect(loggedInputs(rig)).toMatchObject([
      { tool_name: 'list_directory' },
      { tool_name: 'read_file', original_request_name: 'list_directory' },
    ]);
  });
});

it('AfterAgent makes the model try again with its reason', async () => {
  const once = `case $(tee -a "$GEMINI_PROJECT_DIR/hooks.log") in *'"stop_hook_active":false'*) echo '{"decision":"block","reason":"run the tests"}';; esac; echo >> "$GEMINI_PROJECT_DIR/hooks.log"`;
  const rig = await testRig(on('AfterAgent', once));
  rig.model.replies([text('first')], [text('second')]);
  const run = await rig.cli('-p', 'x', '-o', 'json');
  expect(run.json().response).toBe('second');
  expect(userText(rig, 1)).toContain('run the tests');
  expect(loggedInputs(rig).map((input) => input['stop_hook_active'])).toEqual([false, true]);
});

describe('Hooks of the model', () => {
  it('change the request and keep everything else', async () => {
    const rig = await testRig(
      on(
        'BeforeModel',
        printing(
          specific({
            llm_request: {
              messages: [{ role: 'system', content: 'be brief' }],
              config: { temperature: 0.5 },
            },
          }),
        ),
      ),
    );
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x');
    const { body } = rig.model.lastRequest();
    expect(body.generationConfig).toMatchObject({ temperature: 0.5 });
    expect(body.systemInstruction?.parts.map((part) => part.text).join('')).toMatch(/be brief$/);
    expect(body.tools?.[0]?.functionDeclarations?.length).toBeGreaterThan(5);
    expect(userText(rig)).toContain('x');
  });

  it('restrict the tools', async () => {
    const toolConfig = { mode: 'AUTO', allowedFunctionNames: ['read_file'] };
    const rig = await testRig(on('BeforeToolSelection', printing(specific({ toolConfig }))));
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x');
    const declared = rig.model.lastRequest().body.tools?.flatMap((tool) => tool.functionDeclarations ?? []);
    expect(declared?.map(({ name }) => name)).toEqual(['read_file']);
  });

  it('get what arrived while they worked as one chunk, and replace its text', async () => {
    const rig = await testRig(on('AfterModel', logging('sleep 0.2')));
    rig.model.replies(Array.from({ length: 200 }, (_, index) => [text(`${index} `), delay(5)]).flat());
    const run = await rig.cli('-p', 'x');
    expect(run.stdout.trim()).toBe(Array.from({ length: 200 }, (_, index) => index).join(' '));
    const texts = loggedInputs(rig).map((input) => Object(input['llm_response']).text ?? '');
    expect(texts.join('')).toBe(run.stdout.replace(/\n$/, ''));
    expect(texts.length).toBeLessThan(40);
  });

  it('replace text and keep calls', async () => {
    const candidates = [{ content: { role: 'model', parts: ['***'] } }];
    const rig = await testRig(on('AfterModel', printing(specific({ llm_response: { candidates } }))));
    rig.model.replies([text('secret')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('***\n');
  });
});

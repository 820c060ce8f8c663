/** What holds for the main agent holds inside a run of another one: hooks, summaries, undo, limits. */
import { apiError, callTool, text, together, usage } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { loggedInputs, loggingHooks } from '../hooks/hook-log.js';
import { scripted, speakerOf, writeAgent } from './agents.js';

const invoke = (name: string, id = name) =>
  callTool('invoke_agent', { agent_name: name, prompt: `Do ${id}` }, `call-${id}`);
const complete = (result: string) => callTool('complete_task', { result });

describe('inside the run of an agent', () => {
  it('hooks of the model and of tools run; those of a prompt run for the conversation only', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A\n' }, settings: { hooks: loggingHooks() } });
    writeAgent(rig, 'reader');
    scripted(rig, {
      main: [[invoke('reader')], [text('done')]],
      reader: [[callTool('read_file', { file_path: 'a.txt' })], [complete('read')]],
    });
    const run = await rig.cli('-p', 'go');
    expect(run.exitCode, run.stderr).toBe(0);
    const inputs = loggedInputs(rig);
    const countOf = (event: string) => inputs.filter((input) => input.hook_event_name === event).length;
    expect([countOf('BeforeAgent'), countOf('AfterAgent'), countOf('SessionStart')]).toEqual([1, 1, 1]);
    expect(countOf('BeforeModel')).toBe(4);
    const tools = inputs
      .filter((input) => input.hook_event_name === 'BeforeTool')
      .map((input) => input['tool_name']);
    expect(tools).toEqual(['invoke_agent', 'read_file', 'complete_task']);
  });

  it('a hook that refuses a tool refuses it to agents', async () => {
    const hooks = {
      BeforeTool: [
        { matcher: 'read_file', hooks: [{ type: 'command', command: 'echo "Not this file." >&2; exit 2' }] },
      ],
    };
    const rig = await testRig({ files: { 'a.txt': 'A\n' }, settings: { hooks } });
    writeAgent(rig, 'reader');
    scripted(rig, {
      main: [[invoke('reader')], [text('done')]],
      reader: [[callTool('read_file', { file_path: 'a.txt' })], [complete('refused')]],
    });
    await rig.cli('-p', 'go');
    const last = rig.model.requests.filter((request) => speakerOf(request) === 'reader').at(-1);
    expect(JSON.stringify(last?.body.contents.at(-1))).toContain('Not this file.');
  });

  it('a long conversation is compressed, and the run continues to its report', async () => {
    const files = { 'long.txt': 'some words on a line of their own\n'.repeat(2000) };
    const modelDefinitions = { 'gemini-3.8-flash': { contextWindow: 40_000 } };
    const rig = await testRig({ files, settings: { modelConfigs: { modelDefinitions } } });
    writeAgent(rig, 'reader');
    let turn = 0;
    let summaries = 0;
    rig.model.otherwise((request) => {
      if (request.method === 'generateContent') {
        summaries++;
        return [text('<state_snapshot><goal>read it all</goal></state_snapshot>')];
      }
      if (speakerOf(request) === 'main')
        return turn === 0 ? [invoke('reader')] : [text('The agent has read it.')];
      turn++;
      const args = { file_path: 'long.txt', start_line: turn * 100, end_line: turn * 100 + 200 };
      const size = Math.ceil(request.bytes / 4);
      return [
        turn <= 14 ? callTool('read_file', args) : complete('all of it'),
        usage({ promptTokenCount: size, candidatesTokenCount: 20 }),
      ];
    });
    const run = await rig.cli('-p', 'go', '-m', 'flash', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('The agent has read it.');
    expect(summaries).toBeGreaterThan(0);
    const last = rig.model.requests.filter((request) => speakerOf(request) === 'reader').at(-1);
    expect(JSON.stringify(last?.body)).toContain('state_snapshot');
    expect(JSON.stringify(rig.model.lastRequest().body)).toContain('all of it');
  });

  it('a change is undone together with the prompt that led to it', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    writeAgent(rig, 'writer', ['write_file']);
    scripted(rig, {
      main: [
        [callTool('write_file', { file_path: 'a.txt', content: 'two\n' })],
        [invoke('writer')],
        [text('done')],
      ],
      writer: [[callTool('write_file', { file_path: 'b.txt', content: 'two\n' })], [complete('written')]],
    });
    await rig.cli('-p', 'change both', '-y');
    expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['two\n', 'two\n']);
    const undo = await rig.cli('undo', 'turn', '--yes');
    expect(undo.exitCode, undo.stderr).toBe(0);
    expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['one\n', 'one\n']);
  });
});

describe('fifty agents asked for at once', () => {
  it('run four at a time, those that fail disturb no other, and all report in order', async () => {
    const rig = await testRig();
    writeAgent(rig, 'worker');
    let asked = false;
    let count = 0;
    rig.model.otherwise((request) => {
      if (speakerOf(request) !== 'main')
        return [++count % 7 === 0 ? apiError(400, 'not this one') : complete('fine')];
      if (asked) return [text('all done')];
      asked = true;
      return [together(...Array.from({ length: 50 }, (_, index) => invoke('worker', `${index}`)))];
    });
    const run = await rig.cli('-p', 'go', '-o', 'stream-json');
    expect(run.exitCode, run.stderr).toBe(0);
    let running = 0;
    let most = 0;
    for (const { type, event } of run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))) {
      if (type === 'agent' && event === 'started') most = Math.max(most, ++running);
      if (type === 'agent' && event === 'finished') running--;
    }
    expect([most, running]).toEqual([4, 0]);
    const parts = rig.model.lastRequest().body.contents.at(-1)?.parts ?? [];
    expect(parts.map(({ functionResponse }) => functionResponse?.id)).toEqual(
      Array.from({ length: 50 }, (_, index) => `call-${index}`),
    );
    const failed = parts.filter(
      ({ functionResponse }) => functionResponse && 'error' in functionResponse.response,
    );
    expect(failed).toHaveLength(7);
  });
});

/** Conversations that grow beyond the model's window, through the built program. */
import { describe, expect, it } from 'vitest';
import { apiError, callTool, testRig, text, usage } from '../test-utils.js';

const MODEL = 'gemini-3.8-flash';
const withWindow = (contextWindow: number, more: object = {}) => ({
  modelConfigs: { modelDefinitions: { [MODEL]: { contextWindow } } },
  ...more,
});
const read = (line: number) =>
  callTool('read_file', { file_path: 'long.txt', start_line: line, end_line: line + 200 });
const SNAPSHOT =
  '<state_snapshot><overall_goal>count the lines</overall_goal><task_state>[DONE] reading</task_state></state_snapshot>';

describe('a message that does not fit', () => {
  it('is not sent, and the user is told', async () => {
    const rig = await testRig({ settings: withWindow(20_000) });
    const run = await rig.cli('-p', 'x', '-m', 'flash', { stdin: 'many words here '.repeat(20_000) });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/too long.*context window/);
    expect(rig.model.requests).toEqual([]);
  });
});

describe('a conversation that fills half of the window', () => {
  it('is summarised; the prompt stays word for word, and old turns can be recalled', async () => {
    const files = { 'long.txt': 'some words on a line of their own\n'.repeat(2000) };
    const rig = await testRig({ files, settings: withWindow(40_000) });
    const main: unknown[] = [];
    let turn = 0;
    rig.model.otherwise((request) => {
      if (request.method === 'generateContent') return [text(SNAPSHOT)];
      main.push(request.body);
      turn++;
      const size = Math.ceil(request.bytes / 4);
      if (turn <= 12) return [read(turn * 100), usage({ promptTokenCount: size, candidatesTokenCount: 20 })];
      return [text('done'), usage({ promptTokenCount: size, candidatesTokenCount: 20 })];
    });
    const run = await rig.cli('-p', 'count the lines, and mind the PURPLE rule', '-m', 'flash', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('done');
    expect(run.stderr).toMatch(/shortened from about \d+ to \d+ tokens/);
    const last = JSON.stringify(main.at(-1));
    expect(last).toContain('state_snapshot');
    expect(last).toContain('count the lines, and mind the PURPLE rule');
    expect(last).toContain('"recall_turn"');
    expect(JSON.stringify(main[0])).not.toContain('"recall_turn"');
    const roles = Object.values(run.json().stats?.models ?? {}).flatMap(({ roles }) => Object.keys(roles));
    expect(roles).toContain('utility_compressor');
  });

  it('continues in full length when no summary can be written', async () => {
    const files = { 'long.txt': 'some words on a line of their own\n'.repeat(2000) };
    const rig = await testRig({ files, settings: withWindow(40_000, { general: { maxAttempts: 1 } }) });
    let turn = 0;
    rig.model.otherwise((request) => {
      if (request.method === 'generateContent') return [apiError(400, 'no summary today')];
      turn++;
      const size = Math.ceil(request.bytes / 4);
      return [
        turn <= 14 ? read(turn * 100) : text('done'),
        usage({ promptTokenCount: size, candidatesTokenCount: 20 }),
      ];
    });
    const run = await rig.cli('-p', 'go', '-m', 'flash', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json().response).toBe('done');
    expect(run.json().warnings?.some((warning) => warning.includes('no summary today'))).toBe(true);
  });
});

describe('auto', () => {
  it.each([
    ['what is in this folder?', 'gemini-3.8-flash'],
    [
      'First find out why the build hangs at random, then redesign the whole job system, then migrate all modules to it, and finally update every test and the documentation.',
      'gemini-3.1-pro-preview',
    ],
  ])('sends "%s" to the fitting model, without a model call to decide', async (prompt, model) => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', prompt);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(rig.model.requests.map((request) => request.model)).toEqual([model]);
  });
});

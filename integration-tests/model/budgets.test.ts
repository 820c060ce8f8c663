/** Limits of cost, tokens and time for a run, and what it says when they are reached. */
import { describe, expect, it } from 'vitest';
import { callTool, isAlive, silence, startOpenAiServer, testRig, text, usage } from '../test-utils.js';

const readAgain = (line: number) => [
  callTool('read_file', { file_path: 'a.txt', start_line: line, end_line: line }),
  usage({ promptTokenCount: 1_000_000, candidatesTokenCount: 0 }),
];
const FILES = { 'a.txt': 'line\n'.repeat(50) };
const PRICES = { 'gemini-3.8-flash': { input: 2, output: 10 } };

describe('a cost limit', () => {
  it('ends the run before the next call and keeps what was done', async () => {
    const rig = await testRig({ files: FILES, settings: { model: { prices: PRICES } } });
    rig.model.replies(readAgain(1), readAgain(2), readAgain(3));
    const run = await rig.cli('-p', 'x', '-m', 'flash', '--max-cost', '3', '-o', 'json');
    expect(run.exitCode).toBe(53);
    expect(rig.model.requests).toHaveLength(2);
    expect(run.json()).toMatchObject({
      error: { type: 'FatalBudgetError', message: expect.stringContaining('3') },
      stats: { cost_usd: 4 },
    });
  });

  it('may come from the settings, and a flag wins over it', async () => {
    const settings = { model: { prices: PRICES, budget: { maxCost: 1 } } };
    const rig = await testRig({ files: FILES, settings });
    rig.model.replies(readAgain(1), readAgain(2));
    expect((await rig.cli('-p', 'x', '-m', 'flash')).exitCode).toBe(53);
    expect(rig.model.requests).toHaveLength(1);
    rig.model.replies([text('done')]);
    expect((await rig.cli('-p', 'x', '-m', 'flash', '--max-cost', '100')).exitCode).toBe(0);
  });

  it('is refused for a model of unknown price', async () => {
    const ollama = await startOpenAiServer();
    const rig = await testRig({
      settings: { model: { providers: { mine: { type: 'openai', baseUrl: ollama.url } } } },
    });
    const run = await rig.cli('-p', 'x', '-m', 'mine/model', '--max-cost', '1');
    expect(run.exitCode).toBe(52);
    expect(run.stderr).toContain('mine/model');
    expect(run.stderr).toContain('model.prices');
    expect(ollama.requests).toEqual([]);
  });
});

describe('a token limit', () => {
  it('counts every call', async () => {
    const rig = await testRig({ files: FILES });
    rig.model.replies(readAgain(1), readAgain(2), readAgain(3));
    const run = await rig.cli('-p', 'x', '-m', 'flash', '--max-tokens', '1500000');
    expect(run.exitCode).toBe(53);
    expect(rig.model.requests).toHaveLength(2);
  });
});

describe('a time limit', () => {
  it('ends an answer that does not come', async () => {
    const rig = await testRig();
    rig.model.replies([text('Let me think'), silence()]);
    const run = await rig.cli('-p', 'x', '--max-time', '2', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(53);
    expect(run.json().error?.message).toContain('Time budget reached (2 s of 2 s).');
    expect(await rig.model.requests[0]?.hungUp).toBe(true);
  });

  it('ends a running command with its processes', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('run_shell_command', { command: 'echo $$ > pid; sleep 600' })]);
    const run = await rig.cli('-p', 'x', '--max-time', '3', '--approval-mode', 'yolo');
    expect(run.exitCode, run.stderr).toBe(53);
    expect(run.stderr).toContain('Time budget reached (3 s of 3 s).');
    expect(isAlive(Number(rig.read('pid')))).toBe(false);
  });
});

/** What an evaluation makes of the program's output: transcript, numbers, table. */
import { describe, expect, it } from 'vitest';
import { programEnvironment } from '../../evals/environment.js';
import { BadOptionError, readOptions } from '../../evals/options.js';
import { complaints, table, toJson } from '../../evals/report.js';
import type { Outcome } from '../../evals/run-task.js';
import { numbersOf, type TaskResult, totalOf } from '../../evals/summary.js';
import { readTranscript } from '../../evals/transcript.js';

describe('A transcript', () => {
  const at = { timestamp: '' };
  const say = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true, ...at });
  const use = (tool_id: string) => ({
    type: 'tool_use',
    tool_name: 'glob',
    tool_id,
    parameters: { pattern: '*' },
    ...at,
  });
  const result = (tool_id: string, status: string) => ({ type: 'tool_result', tool_id, status, ...at });

  it('counts answers of the model, keeps its calls and takes the text after the last one as the answer', () => {
    const read = readTranscript([
      { type: 'init', ...at },
      { type: 'message', role: 'user', content: 'go', ...at },
      say('Let me '),
      say('look.'),
      use('1'),
      use('2'),
      result('1', 'success'),
      result('2', 'error'),
      use('3'),
      result('3', 'success'),
      say('Found.'),
      { type: 'result', status: 'success', stats: { total_tokens: 70, cost_usd: 0.01 }, ...at },
    ]);
    expect(read).toMatchObject({ turns: 3, answer: 'Found.', tokens: 70, cost: 0.01, error: undefined });
    expect(read.said).toContain('Let me look.');
    expect(read.calls.map(({ status }) => status)).toEqual(['success', 'error', 'success']);
  });

  it('has an error when the program failed or gave no result', () => {
    const failed = { type: 'result', status: 'error', error: { message: 'No key.' }, ...at };
    expect(readTranscript([failed]).error?.message).toBe('No key.');
    expect(readTranscript([say('half')]).error?.message).toBe('The program gave no result.');
  });
});

describe('The numbers of an evaluation', () => {
  const run = (status: Outcome['status'], tokens: number, cost: number | undefined = 0.5): Outcome => ({
    status,
    complaints: status === 'passed' ? [] : [`${status} for a reason`],
    turns: tokens / 100,
    tokens,
    cost,
    seconds: 1,
    exitCode: 0,
    checks: [],
    folder: undefined,
  });
  const task = (name: string, ...runs: Outcome[]): TaskResult => ({
    task: { name, kind: 'find', about: 'finds it' },
    runs,
  });
  const results = [
    task('one', run('passed', 100), run('passed', 300), run('error', 0)),
    task('two', run('failed', 2000), run('passed', 2000), run('failed', 2000)),
  ];

  it('are means with their spread; a round with a run that was not judged is not compared', () => {
    expect(numbersOf(results[0] as TaskResult)).toMatchObject({
      passed: 2,
      failed: 0,
      errors: 1,
      tokens: { mean: 200, min: 100, max: 300 },
    });
    expect(totalOf(results)).toMatchObject({
      passed: 3,
      failed: 2,
      errors: 1,
      passRate: { mean: 0.6, min: 0.5, max: 1 },
      tokens: { min: 2100, max: 2300 },
    });
  });

  it('have no cost as soon as one price is unknown', () => {
    const unknown = task('one', run('passed', 100, 1), { ...run('passed', 100), cost: undefined });
    expect(numbersOf(unknown).cost).toBeUndefined();
    expect(totalOf([unknown]).cost).toBeUndefined();
  });

  it('are a table with the total of a round below', () => {
    const lines = table(results).split('\n');
    expect(lines[0]).toMatch(/^task +kind +passed +turns +tokens +cost +seconds$/);
    expect(lines[2]).toMatch(/^one +find +2\/2 \(1 not judged\) +2 \(1–3\) +200 \(100–300\) +\$0\.5000 +1$/);
    expect(lines[5]).toMatch(/^total of a round +2 tasks +3\/5 \(1 not judged\) .*2\.2k \(2\.1k–2\.3k\)/);
    expect(lines.at(-1)).toBe('Pass rate: 60 % (50 %–100 % by round)');
  });

  it('come with the reasons of failed runs, equal ones on one line', () => {
    expect(complaints(results).split('\n')).toEqual([
      'one, run 3: error for a reason',
      'two, runs 1, 3: failed for a reason',
    ]);
  });

  it('are JSON for programs, without the scripts of the tasks', () => {
    const json = JSON.parse(toJson({ model: 'm', startedAt: 'now', results }));
    expect(json).toMatchObject({ model: 'm', total: { passed: 3 }, tasks: [{ name: 'one' }, { passed: 1 }] });
    expect(Object.keys(json.tasks[0])).not.toContain('right');
    expect(json.tasks[1].runs[0]).toMatchObject({ status: 'failed', tokens: 2000 });
  });
});

describe('The options of an evaluation', () => {
  it('have defaults, and settings that a task can still override', () => {
    expect(readOptions(['--model', 'm', '--task', 'a,b', '--task', 'c'])).toMatchObject({
      model: 'm',
      tasks: ['a', 'b', 'c'],
      runs: 3,
      defaults: { general: { maxAttempts: 3 } },
      maxCost: undefined,
    });
  });

  it.each([
    [['--max-cost', 'two']],
    [['--runs', '0']],
    [['--runs', '1.5']],
    [['--modle', 'm']],
    [['--settings', '/nowhere/settings.json']],
  ])('are refused before anything runs: %s', (args) => {
    expect(() => readOptions(args)).toThrow(BadOptionError);
  });
});

describe('The environment of a run', () => {
  it('has keys and addresses of models, and nothing of the home or settings of the caller', () => {
    const env = programEnvironment({
      PATH: '/bin',
      OPENAI_API_KEY: 'k',
      OLLAMA_HOST: 'h',
      https_proxy: 'p',
      HOME: '/home/me',
      GEMINI_CLI_HOME: '/home/me',
      GEMINI_MODEL: 'other',
      GEMINI_SYSTEM_MD: '1',
      NODE_OPTIONS: '--inspect',
      CI: 'true',
    });
    expect(Object.keys(env).sort()).toEqual(['OLLAMA_HOST', 'OPENAI_API_KEY', 'PATH', 'https_proxy']);
  });
});

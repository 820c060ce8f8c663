/** Whole evaluations with a model on this machine, behind an OpenAI-compatible server. */
import { describe, expect, it } from 'vitest';
import { loadTasks, type NamedTask } from '../../evals/load-tasks.js';
import type { Outcome } from '../../evals/run-task.js';
import { runAll, type Schedule } from '../../evals/schedule.js';
import { callTool, type OpenAiServer, openAiError, startOpenAiServer } from '../test-utils.js';

const tasks = await loadTasks();

/** One run after the other, so that the answers of the server come in order. */
function schedule(server: OpenAiServer, names: string[], more: Partial<Schedule> = {}): Schedule {
  return {
    tasks: names.map(taskNamed),
    runs: 2,
    parallel: 1,
    maxCost: undefined,
    onRun: () => {},
    setup: {
      model: 'ollama/small:1b',
      env: { PATH: process.env['PATH'] ?? '', OLLAMA_HOST: server.origin },
      defaults: {
        general: { maxAttempts: 1 },
        model: { prices: { 'ollama/small:1b': { input: 100_000, output: 0 } } },
      },
      maxSeconds: 20,
    },
    ...more,
  };
}

function taskNamed(name: string): NamedTask {
  const task = tasks.find((candidate) => candidate.name === name);
  if (!task) throw new Error(`no task ${name}`);
  return task;
}

const statuses = (runs: (Outcome | undefined)[] | undefined) => runs?.map((run) => run?.status);

describe('An evaluation', () => {
  it('runs every task in every round and keeps what each run did', async () => {
    const server = await startOpenAiServer();
    const [json, callers] = [taskNamed('json-answer'), taskNamed('find-callers')];
    const wrong = Object.values(callers.wrong)[0] ?? [];
    server.replies(...json.right, ...callers.right, ...json.right, ...wrong);
    const seen: string[] = [];
    const { results, stopped } = await runAll(
      schedule(server, ['json-answer', 'find-callers'], {
        onRun: ({ name }, round) => seen.push(`${name} ${round}`),
      }),
    );
    expect(stopped).toBeUndefined();
    expect(seen).toEqual(['json-answer 0', 'find-callers 0', 'json-answer 1', 'find-callers 1']);
    expect(results.map(({ runs }) => statuses(runs))).toEqual([
      ['passed', 'passed'],
      ['passed', 'failed'],
    ]);
    expect(results[0]?.runs[0]).toMatchObject({ turns: 2, tokens: 30, cost: 2, exitCode: 0 });
    expect(results[1]?.runs[1]?.complaints).toContainEqual(
      expect.stringContaining('the answer lacks src/rebate.js: it says: CHANGELOG.md'),
    );
  });

  it('stops at once, with the reason of the program, when the model needs a key that is not set', async () => {
    const server = await startOpenAiServer();
    const { setup, ...rest } = schedule(server, ['json-answer']);
    const { results, stopped } = await runAll({ ...rest, setup: { ...setup, model: 'openai/gpt-5' } });
    expect(stopped).toContain('set OPENAI_API_KEY');
    expect(results[0]?.runs).toEqual([]);
  });

  it('stops when several runs in a row get no answer, and counts none of them as failed', async () => {
    const server = await startOpenAiServer();
    server.replies(...Array.from({ length: 9 }, () => [openAiError(400, 'The model is not loaded.')]));
    const { results, stopped } = await runAll(schedule(server, ['json-answer'], { runs: 5 }));
    expect(stopped).toMatch(/^3 runs in a row got no answer: .*The model is not loaded/);
    expect(statuses(results[0]?.runs)).toEqual(['error', 'error', 'error']);
  });

  it('fails a model that uses up its tool calls', async () => {
    const server = await startOpenAiServer();
    const calls = (turn: number) =>
      Array.from({ length: 10 }, (_, index) => callTool('glob', { pattern: `${turn}-${index}*` }));
    server.replies(...Array.from({ length: 7 }, (_, turn) => calls(turn)));
    const { results } = await runAll(schedule(server, ['json-answer'], { runs: 1 }));
    expect(results[0]?.runs[0]).toMatchObject({ status: 'failed', exitCode: 53 });
  });

  it('stops when the limit on cost is reached', async () => {
    const server = await startOpenAiServer();
    server.replies(...taskNamed('json-answer').right);
    const { results, stopped } = await runAll(schedule(server, ['json-answer'], { maxCost: 1 }));
    expect(stopped).toBe('The limit of $1 is reached.');
    expect(statuses(results[0]?.runs)).toEqual(['passed']);
  });

  it('ends a running program when it is interrupted', async () => {
    const server = await startOpenAiServer();
    const interruption = new AbortController();
    server.replies(() => {
      interruption.abort();
      return [];
    });
    const { setup, ...rest } = schedule(server, ['json-answer']);
    const { results, stopped } = await runAll({
      ...rest,
      setup: { ...setup, signal: interruption.signal },
    });
    expect(stopped).toBe('interrupted');
    expect(results[0]?.runs).toEqual([]);
  });
});

/** Every task with scripted answers: its right answers pass, its wrong ones fail every check at least once. */
import { describe, expect, it } from 'vitest';
import { loadTasks, type NamedTask } from '../../evals/load-tasks.js';
import { type Replay, replay } from '../../evals/replay.js';
import type { Answers } from '../../evals/task.js';

const tasks = await loadTasks();

describe.concurrent('The judge of an evaluation task', () => {
  it.each(tasks)(
    '$name passes the right answers and fails the wrong ones',
    async (task) => {
      const right = await played(task, 'right', task.right);
      expect(right.complaints, 'the right answers').toEqual([]);
      const neverFailed = new Set(right.checks.map(({ title }) => title));
      expect(neverFailed.size, 'checks with titles of their own').toBe(right.checks.length);
      for (const [name, answers] of Object.entries(task.wrong)) {
        const wrong = await played(task, name, answers);
        expect(wrong.status, name).toBe('failed');
        for (const { title, complaint } of wrong.checks) if (complaint) neverFailed.delete(title);
      }
      expect([...neverFailed], 'checks that no wrong answer fails').toEqual([]);
    },
    60_000,
  );
});

/** The script is used as written: no answer is left, none is missing. */
async function played(task: NamedTask, name: string, answers: Answers): Promise<Replay> {
  const run = await replay(task, answers);
  expect(run.status, `${name}: ${run.complaints.join('; ')}`).not.toBe('error');
  expect([run.unused, run.unscripted], `${name}: answers left and missing`).toEqual([0, 0]);
  return run;
}

/** A task answered by a script instead of a model: shows whether its judge tells right from wrong. */
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import type { NamedTask } from './load-tasks.js';
import { type Outcome, runTask } from './run-task.js';
import type { Answers } from './task.js';

export interface Replay extends Outcome {
  /** Scripted answers that the program did not ask for. */
  unused: number;
  /** Model calls for which the script has no answer. */
  unscripted: number;
}

export async function replay(task: NamedTask, answers: Answers): Promise<Replay> {
  const server = await startModelServer();
  server.replies(...answers);
  try {
    const outcome = await runTask(task, {
      model: 'gemini-2.5-flash',
      env: {
        PATH: process.env['PATH'] ?? '',
        GEMINI_API_KEY: 'test',
        GOOGLE_GEMINI_BASE_URL: server.url,
      },
      maxSeconds: 50,
    });
    return { ...outcome, unused: server.remaining(), unscripted: server.unexpected.length };
  } finally {
    await server.close();
  }
}

/** What a client did wrong, or what the server cannot do now. The protocol layer turns it into the codes of both versions. */
import { UserError } from '@gemini-cli/core';

export type TaskErrorCode =
  | 'task_not_found'
  /** It is over already. */
  | 'not_cancelable'
  /** The message cannot be understood or does not fit the state of its task. */
  | 'invalid'
  | 'unsupported'
  /** A limit of this server; trying again later helps. */
  | 'too_many'
  /** The server is stopping, or its storage fails. */
  | 'unavailable';

export class TaskError extends UserError {
  override readonly name = 'TaskError';
  declare readonly code: TaskErrorCode;

  constructor(code: TaskErrorCode, message: string, cause?: unknown) {
    super(message, { code, cause });
  }
}

export function tooManyTasks(limit: number): TaskError {
  const tasks = limit === 1 ? '1 task' : `${limit} tasks`;
  return new TaskError('too_many', `This server keeps ${tasks}; CODER_AGENT_MAX_TASKS is the limit.`);
}

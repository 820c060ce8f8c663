/** States of tasks. */
import { TaskState } from '@a2a-js/sdk';

const OVER: readonly (TaskState | undefined)[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
];

export function isOver(state: TaskState | undefined): boolean {
  return OVER.includes(state);
}

export function isRunning(state: TaskState | undefined): boolean {
  return state === TaskState.TASK_STATE_SUBMITTED || state === TaskState.TASK_STATE_WORKING;
}

/** `input-required`, as version 0.3 and people write it. */
export function stateWord(state: TaskState | undefined): string {
  const name = TaskState[state ?? TaskState.TASK_STATE_UNSPECIFIED] ?? '';
  const word = name.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  return word === 'unspecified' || word === '' ? 'unknown' : word;
}

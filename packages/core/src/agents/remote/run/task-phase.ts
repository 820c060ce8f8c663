/** The states of a task that matter here. */

export type TaskPhase =
  | 'running'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'
  | 'input-required'
  | 'auth-required';

/** By the numbers of `TaskState`, which would have to be loaded. Undefined: a state we do not know. */
export function phaseOf(state: number): TaskPhase | undefined {
  return PHASES[state];
}

const PHASES: readonly (TaskPhase | undefined)[] = [
  undefined,
  'running',
  'running',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
];

/** Nothing more can happen to the task. */
export function isOver(phase: TaskPhase | undefined): boolean {
  return phase === 'completed' || phase === 'failed' || phase === 'canceled' || phase === 'rejected';
}

/** The task continues with the next message. */
export function isWaiting(phase: TaskPhase | undefined): boolean {
  return phase === 'input-required' || phase === 'auth-required';
}

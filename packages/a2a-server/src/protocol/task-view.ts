/** A task as a client asked for it. */
import type { Task } from '@a2a-js/sdk';

export interface TaskViewOptions {
  /** The last messages; undefined: all. */
  historyLength?: number;
  includeArtifacts?: boolean;
}

export function taskView(task: Task, { historyLength, includeArtifacts = true }: TaskViewOptions = {}): Task {
  const history =
    historyLength === undefined ? task.history : historyLength > 0 ? task.history.slice(-historyLength) : [];
  return { ...task, history, artifacts: includeArtifacts ? task.artifacts : [] };
}

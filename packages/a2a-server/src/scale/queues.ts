/** Names that all processes of one database agree on. */

/**
 * Of the durable form of a turn, not of the program: a deployment with another name strands the turns that run. A change
 * of the steps goes behind `DBOS.patch`; a new name needs workers of the old one until their turns have ended.
 */
export const SHAPE = 'gemini-turn-1';
export const APPLICATION = 'gemini-a2a';
export const WORKFLOW = 'turn';

/** Each adds a queue for every combination with the others. */
export const MAX_LABELS = 5;

/** Tasks that ask for the same labels share a queue. */
export function queueOf(labels: readonly string[] = []): string {
  return ['turns', ...[...new Set(labels)].sort().map(encodeURIComponent)].join(' ');
}

/** All queues that a worker with these labels serves. */
export function queuesFor(labels: readonly string[]): string[] {
  const sets: string[][] = [[]];
  for (const label of new Set(labels)) sets.push(...sets.map((set) => [...set, label]));
  return sets.map(queueOf);
}

export function workflowIdOf(taskId: string, turn: number): string {
  return `${taskId}:${turn}`;
}

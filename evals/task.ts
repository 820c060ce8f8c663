/** What a task is: a prompt in a fixture repository, a judge, and scripted answers that keep the judge true. */
import type { Script } from '../packages/test-utils/src/model-script.js';
import type { Judge } from './judge.js';

export { callTool, text } from '../packages/test-utils/src/model-script.js';

/** Skills and delegation get a kind of their own when the program has them. */
export type TaskKind =
  | 'find'
  | 'explain'
  | 'edit'
  | 'fix'
  | 'refuse'
  | 'plan'
  | 'instructions'
  | 'recover'
  | 'shell';

/** The answers of a scripted model, one per model call. */
export type Answers = Script[];

export interface EvalTask {
  kind: TaskKind;
  /** What a model must be able to do to pass, in one line. */
  about: string;
  prompt: string;
  /** Files by path, added to the fixture `bookshop` or in place of its own. */
  files?: Record<string, string | Uint8Array>;
  /** Files below the user's home, e.g. `.gemini/policies/a.toml`. */
  home?: Record<string, string>;
  /** The user's settings. */
  settings?: object;
  /** Default: `auto_edit`. */
  mode?: 'default' | 'auto_edit' | 'yolo' | 'plan';
  judge(judge: Judge): void | Promise<void>;
  /** A model that answers so passes. */
  right: Answers;
  /** Models that answer so fail. Together they fail every check of the judge at least once. */
  wrong: Record<string, Answers>;
}

/** Gives a task its types where it is written. */
export function evalTask(task: EvalTask): EvalTask {
  return task;
}

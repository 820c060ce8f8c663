/** Runs synchronous work with a time limit, because a regular expression may never finish. */
import { createContext, Script } from 'node:vm';
import { codeOf } from '../../base/errors.js';
import { SlowPatternError } from './pattern-error.js';

const PATIENCE_MS = 2000;

export function createGuard(): <T>(work: () => T) => T {
  const holder: { work: () => void } = { work: () => undefined };
  const context = createContext({ run: () => holder.work() });
  const script = new Script('run()');
  return <T>(work: () => T): T => {
    let result: { value: T } | undefined;
    holder.work = () => {
      result = { value: work() };
    };
    try {
      script.runInContext(context, { timeout: PATIENCE_MS });
    } catch (error) {
      if (codeOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new SlowPatternError('matching takes too long; avoid nested repetitions such as (a+)+');
    }
    if (!result) throw new Error('The guarded work did not run.');
    return result.value;
  };
}

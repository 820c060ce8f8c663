/** Runs code that a hostile schema or pattern could keep busy forever. */
import { type Context, createContext, Script } from 'node:vm';

let clock: { script: Script; context: Context } | undefined;

/** The limit holds for all that `work` calls, regular expressions included. @throws when the time is over */
export function runWithin<T>(milliseconds: number, work: () => T): T {
  clock ??= { script: new Script('work()'), context: createContext({}) };
  const { script, context } = clock;
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } finally {
    context['work'] = undefined;
  }
}

/** Regular expressions from configuration files: which are harmless, and a test with a time limit for the others. */

/** Repetitions without an upper limit; with more of them the time grows with a high power of the length. */
const MAX_REPETITIONS = 2;

/** True if no text of a few hundred characters can keep it busy. When in doubt, false. */
export function isHarmless(source: string): boolean {
  const plain = source.replace(/\\[^1-9kpPu]/g, '_').replace(/\[[^\]]*\]/g, '_');
  // Back references, look-around, named groups, counted repetitions.
  if (/\\|\(\?[^:]|\{/.test(plain)) return false;
  // A repeated group may contain a repetition, or alternatives that overlap.
  if (/\)[*+]/.test(plain)) return false;
  return (plain.match(/[*+]|\)\?/g) ?? []).length <= MAX_REPETITIONS;
}

type Vm = typeof import('node:vm');

let sandbox: { script: InstanceType<Vm['Script']>; context: ReturnType<Vm['createContext']> } | undefined;

/** Undefined: it was not finished in time. */
export function testWithin(expression: RegExp, text: string, limitMs: number): boolean | undefined {
  const vm = process.getBuiltinModule('node:vm');
  sandbox ??= { script: new vm.Script('expression.test(text)'), context: vm.createContext() };
  const { script, context } = sandbox;
  context['expression'] = expression;
  context['text'] = text;
  try {
    // The engine checks for interruption while it backtracks, so the limit also ends a test that would take years.
    return script.runInContext(context, { timeout: limitMs }) === true;
  } catch {
    return undefined;
  }
}

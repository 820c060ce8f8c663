/**
 * Decides whether a hook is for a tool, source, reason or trigger. Expressions are compiled once; one that backtracks
 * without end is cut off and counts as a match from then on, because the hook may be a guard.
 */
import { withCanonicalToolNames } from '../protocol/tool-names.js';
import { isHarmless, testWithin } from './safe-expression.js';

/** Returns true if the hook is for one of these names. */
export type Matcher = (names: readonly string[]) => boolean;

/** Tool names beyond this length are compared by their start. */
const MAX_NAME = 256;
/** Far longer than any honest expression takes, even on a busy machine. */
const TEST_LIMIT_MS = 250;

const ALWAYS: Matcher = () => true;

/** An expression anywhere in the name; an invalid one is compared as text. */
export function toolMatcher(pattern: string | undefined, onTimeout: () => void = () => undefined): Matcher {
  const text = pattern?.trim() ?? '';
  if (matchesAll(text)) return ALWAYS;
  const wanted = withCanonicalToolNames(text);
  const expression = compile(wanted);
  if (!expression) return (names) => names.includes(wanted);
  if (isHarmless(wanted)) return (names) => names.some((name) => expression.test(name.slice(0, MAX_NAME)));
  let isTooSlow = false;
  return (names) =>
    names.some((name) => {
      if (isTooSlow) return true;
      const result = testWithin(expression, name.slice(0, MAX_NAME), TEST_LIMIT_MS);
      if (result !== undefined) return result;
      isTooSlow = true;
      onTimeout();
      return true;
    });
}

/** One value, or a list of them: `startup|resume`. */
export function exactMatcher(pattern: string | undefined): Matcher {
  const text = pattern?.trim() ?? '';
  if (matchesAll(text)) return ALWAYS;
  const wanted = new Set([text, ...text.split(/[|,]/).map((value) => value.trim())]);
  return (values) => values.some((value) => wanted.has(value));
}

function matchesAll(text: string): boolean {
  return text === '' || text === '*';
}

function compile(text: string): RegExp | undefined {
  try {
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

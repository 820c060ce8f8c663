/** Parses the keys of NORMAL and VISUAL into a command, `incomplete` or `unknown`. */
export interface VimCommand {
  count: number | undefined;
  operator?: Operator;
  /** A motion, or after an operator the operator again (`dd`). */
  motion?: string;
  /** A command without a motion: `x`, `p`, `i`, … */
  action?: string;
  /** The argument of `f F t T r`. */
  character?: string;
}

export type Operator = 'd' | 'c' | 'y';
export type Parsed = VimCommand | 'incomplete' | 'unknown';

const OPERATORS = 'dcy';
const MOTIONS = 'hjkl0^$wbeWBEG;,';
const FINDS = 'fFtT';
const ACTIONS = 'iaIAoODCYxX~pPu.vV';
const VISUAL_ACTIONS = 'dcyxX~pouUvVDCY';

export function parseVim(keys: readonly string[], isVisual: boolean): Parsed {
  const first = readCount(keys, 0);
  const key = keys[first.next];
  if (key === undefined) return 'incomplete';
  if (!isVisual && OPERATORS.includes(key)) return parseOperator(keys, first, key as Operator);
  const motion = parseMotion(keys, first.next);
  if (motion === 'incomplete') return motion;
  if (motion !== 'unknown') return { count: first.count, ...motion };
  if (key === 'r') {
    const character = keys[first.next + 1];
    return character === undefined ? 'incomplete' : { count: first.count, action: 'r', character };
  }
  return (isVisual ? VISUAL_ACTIONS : ACTIONS).includes(key)
    ? { count: first.count, action: key }
    : 'unknown';
}

interface Count {
  count: number | undefined;
  next: number;
}

function parseOperator(keys: readonly string[], first: Count, operator: Operator): Parsed {
  const second = readCount(keys, first.next + 1);
  const count =
    first.count === undefined && second.count === undefined
      ? undefined
      : clampCount((first.count ?? 1) * (second.count ?? 1));
  if (keys[second.next] === operator) return { count, operator, motion: operator };
  const motion = parseMotion(keys, second.next);
  return typeof motion === 'string' ? motion : { count, operator, ...motion };
}

function parseMotion(
  keys: readonly string[],
  at: number,
): { motion: string; character?: string } | 'incomplete' | 'unknown' {
  const key = keys[at];
  if (key === undefined) return 'incomplete';
  if (key === 'g') {
    const second = keys[at + 1];
    if (second === undefined) return 'incomplete';
    return second === 'g' ? { motion: 'gg' } : 'unknown';
  }
  if (FINDS.includes(key)) {
    const character = keys[at + 1];
    return character === undefined ? 'incomplete' : { motion: key, character };
  }
  return MOTIONS.includes(key) ? { motion: key } : 'unknown';
}

/** `0` without a count is a motion. */
function readCount(keys: readonly string[], from: number): Count {
  let next = from;
  let digits = '';
  while (/^\d$/.test(keys[next] ?? '') && (digits !== '' || keys[next] !== '0')) digits += keys[next++];
  return { count: digits === '' ? undefined : clampCount(Number(digits)), next };
}

/** A mistyped count must not fill the memory. */
function clampCount(count: number): number {
  return Math.min(count, 10_000);
}

/**
 * Parses and matches gitignore rules like git. Not the `ignore` package, because `shouldIgnoreFile` is synchronous and
 * runs before every file read, so nothing may be loaded for it; most rules are plain names or suffixes and need no
 * regular expression; and the search tool passes single rules to ripgrep. Tests compare it with `ignore` and git.
 */

export type Verdict = 'ignored' | 'included';

export interface IgnoreRule {
  /** The pattern without `!`, leading and trailing slash; escapes as written. */
  glob: string;
  negated: boolean;
  directoryOnly: boolean;
  /** Matches the whole path below the rule file's folder, not just the last name. */
  anchored: boolean;
  matches(path: string, name: string): boolean;
}

export class IgnoreRules {
  private constructor(readonly rules: readonly IgnoreRule[]) {}

  static parse(text: string): IgnoreRules {
    const lines = text.replace(/^\uFEFF/, '').split('\n');
    return new IgnoreRules(lines.map(parseRule).filter((rule) => rule !== undefined));
  }

  /** The last rule that matches decides. `path` is relative to the rules' folder, with `/`. */
  judge(path: string, isDirectory: boolean): Verdict | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let index = this.rules.length - 1; index >= 0; index--) {
      const rule = this.rules[index];
      if (!rule || (rule.directoryOnly && !isDirectory)) continue;
      if (rule.matches(path, name)) return rule.negated ? 'included' : 'ignored';
    }
    return undefined;
  }
}

function parseRule(line: string): IgnoreRule | undefined {
  let glob = trimTrailingSpaces(line.endsWith('\r') ? line.slice(0, -1) : line);
  if (glob === '' || glob.startsWith('#')) return undefined;
  const negated = glob.startsWith('!');
  if (negated) glob = glob.slice(1);
  const directoryOnly = glob.endsWith('/');
  if (directoryOnly) glob = glob.slice(0, -1);
  const anchored = glob.includes('/');
  if (glob.startsWith('/')) glob = glob.slice(1);
  const test = glob === '' ? undefined : compile(glob);
  if (!test) return undefined;
  const matches = anchored ? (path: string) => test(path) : (_path: string, name: string) => test(name);
  return { glob, negated, directoryOnly, anchored, matches };
}

/** Only spaces are trimmed; an escaped one stays. */
function trimTrailingSpaces(line: string): string {
  let end = 0;
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '\\') index++;
    else if (line[index] === ' ') continue;
    end = index + 1;
  }
  return line.slice(0, end);
}

type Test = (text: string) => boolean;
/** `'many'` matches any number of items, including none. */
type Step<T> = 'many' | ((item: T) => boolean);

const SPECIAL = /[*?[\\]/;

/** Undefined for a pattern that can never match (an open bracket, a trailing backslash). */
function compile(glob: string): Test | undefined {
  if (!SPECIAL.test(glob)) return (text) => text === glob;
  const suffix = glob.slice(1);
  if (glob.startsWith('*') && !SPECIAL.test(suffix) && !suffix.includes('/')) {
    return (text) => text.endsWith(suffix) && text.lastIndexOf('/', text.length - suffix.length - 1) === -1;
  }
  const segments = parseSegments(glob);
  return segments && ((text) => matchSteps(segments, text.split('/')));
}

/**
 * Only the last `many` is retried, which is enough for such patterns and limits the time to length × length. A regular
 * expression could take exponential time, and the ignore file may come from a hostile repository.
 */
function matchSteps<T>(steps: readonly Step<T>[], items: readonly T[]): boolean {
  let step = 0;
  let retryStep = -1;
  let retryItem = 0;
  for (let item = 0; item < items.length; ) {
    const current = steps[step];
    if (current === 'many') {
      retryStep = step++;
      retryItem = item;
    } else if (current?.(items[item] as T)) {
      step++;
      item++;
    } else if (retryStep !== -1) {
      step = retryStep + 1;
      item = ++retryItem;
    } else {
      return false;
    }
  }
  while (steps[step] === 'many') step++;
  return step === steps.length;
}

/** One step per path segment; `**` alone between slashes matches any number of segments. */
function parseSegments(glob: string): Step<string>[] | undefined {
  const segments: Step<string>[] = [];
  let chars: Step<string>[] = [];
  let stars = 0;
  const finishSegment = () => {
    const steps = chars;
    if (stars >= 2 && stars === steps.length) segments.push('many');
    else segments.push((name) => matchSteps(steps, [...name]));
    chars = [];
    stars = 0;
  };
  for (let index = 0; index < glob.length; ) {
    if (glob.startsWith('\\/', index)) index++;
    const char = String.fromCodePoint(glob.codePointAt(index) ?? 0);
    index += char.length;
    if (char === '/') {
      finishSegment();
    } else if (char === '*') {
      chars.push('many');
      stars++;
    } else if (char === '?') {
      chars.push(() => true);
    } else if (char === '[') {
      const bracket = parseBracket(glob, index);
      if (!bracket) return undefined;
      chars.push(bracket.test);
      index = bracket.end;
    } else {
      const literal = char === '\\' ? glob.codePointAt(index) : char.codePointAt(0);
      if (literal === undefined) return undefined;
      const text = String.fromCodePoint(literal);
      if (char === '\\') index += text.length;
      chars.push((item) => item === text);
    }
  }
  finishSegment();
  // `a/**` matches what is inside, not `a` itself.
  if (segments.at(-1) === 'many') segments.push(() => true);
  return segments;
}

const POSIX_CLASSES: Record<string, string> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: 'a-fA-F0-9',
};

/** The bracket expression whose content starts at `start`. */
function parseBracket(glob: string, start: number): { test: Test; end: number } | undefined {
  let index = start;
  const negated = glob[index] === '!' || glob[index] === '^';
  if (negated) index++;
  let items = '';
  let previous: string | undefined;
  for (let first = true; first || glob[index] !== ']'; first = false) {
    const named = /^\[:([^\]]*?):\]/.exec(glob.slice(index));
    if (named) {
      const set = POSIX_CLASSES[named[1] ?? ''];
      if (set === undefined) return undefined;
      items += set;
      previous = undefined;
      index += named[0].length;
      continue;
    }
    const isRange = glob[index] === '-' && previous !== undefined && glob[index + 1] !== ']';
    const char = readBracketChar(glob, isRange ? index + 1 : index);
    if (!char) return undefined;
    if (isRange && previous !== undefined) {
      if (codeOf(previous) <= codeOf(char.text)) items += `${escaped(previous)}-${escaped(char.text)}`;
      previous = undefined;
    } else {
      items += escaped(char.text);
      previous = char.text;
    }
    index = char.end;
  }
  const set = new RegExp(`[${negated ? '^' : ''}${items}]`, 'su');
  return { test: (char) => set.test(char), end: index + 1 };
}

function readBracketChar(glob: string, start: number): { text: string; end: number } | undefined {
  const at = glob[start] === '\\' ? start + 1 : start;
  const code = glob.codePointAt(at);
  if (code === undefined) return undefined;
  const text = String.fromCodePoint(code);
  return { text, end: at + text.length };
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function escaped(char: string): string {
  return /[\\\]^[-]/.test(char) ? `\\${char}` : char;
}

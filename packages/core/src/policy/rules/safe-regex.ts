/** Compiles regular expressions of policy files; refuses those that could hang the program. */

const LONGEST = 2048;

/** @throws with a message for the user */
export function compileRegex(source: string, { atStart = false } = {}): RegExp {
  if (source.length > LONGEST) throw new Error(`The pattern is longer than ${LONGEST} characters.`);
  if (hasNestedQuantifier(source)) throw new Error('The pattern repeats a group that itself repeats.');
  // Older files write the NUL anchor as three characters.
  const text = source.replaceAll('\\\\0', '\\x00');
  // Compiled alone first: a pattern such as `a)|(b` must not close the group below.
  const plain = new RegExp(text);
  return atStart ? new RegExp(`^(?:${text})`) : plain;
}

/** A repeated group with a repetition inside, such as `(a+)+`, can take exponential time. */
export function hasNestedQuantifier(source: string): boolean {
  const groups: boolean[] = [];
  for (let index = 0; index < source.length; index++) {
    const character = source.charAt(index);
    if (character === '\\') index++;
    else if (character === '[') index = endOfClass(source, index);
    else if (character === '(') groups.push(false);
    else if (character === ')') {
      const repeats = groups.pop() ?? false;
      if (repeats && isQuantifier(source, index + 1, true)) return true;
      if (repeats && groups.length > 0) groups[groups.length - 1] = true;
    } else if (groups.length > 0 && isQuantifier(source, index, false)) {
      groups[groups.length - 1] = true;
    }
  }
  return false;
}

function endOfClass(source: string, start: number): number {
  for (let index = start + 1; index < source.length; index++) {
    if (source.charAt(index) === '\\') index++;
    else if (source.charAt(index) === ']') return index;
  }
  return source.length;
}

/** @param unbounded ignore quantifiers that match at most once, `?` and `{0,1}` */
function isQuantifier(source: string, index: number, unbounded: boolean): boolean {
  const character = source.charAt(index);
  if (character === '*' || character === '+') return true;
  if (character === '?') return !unbounded && source.charAt(index - 1) !== '(';
  const match = /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(index, index + 24));
  if (!match) return false;
  return !unbounded || match[2] === ',' || Number(match[1]) > 1;
}

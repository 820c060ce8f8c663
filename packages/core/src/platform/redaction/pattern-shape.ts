/**
 * Pieces of regular expressions that know two things: what they match, and how the beginning of a match
 * looks when the rest has not arrived yet. A stream needs the second to know what it has to hold back.
 */

export interface Shape {
  /** Matches a whole. */
  full: string;
  /** Matches any beginning of a whole that could still go on, the empty one included; `$` follows. */
  part: string;
}

export function literal(text: string): Shape {
  const letters = [...text].map(escapeRegExp);
  const part = letters.slice(0, -1).reduceRight((rest, letter) => `(?:${letter}${rest})?`, '');
  return { full: letters.join(''), part };
}

/** One character of a class, written as in a regular expression. */
export function oneOf(characterClass: string): Shape {
  return { full: characterClass, part: '' };
}

export function repeat(shape: Shape, min: number, max: number): Shape {
  return {
    full: `(?:${shape.full}){${min},${max}}`,
    part: `(?:${shape.full}){0,${max - 1}}${shape.part}`,
  };
}

export function optional(shape: Shape): Shape {
  return repeat(shape, 0, 1);
}

export function sequence(first: Shape, ...rest: Shape[]): Shape {
  const [second, ...others] = rest;
  if (!second) return first;
  const tail = sequence(second, ...others);
  return {
    full: first.full + tail.full,
    part: `(?:${first.full}${tail.part}|${first.part})`,
  };
}

export function either(...shapes: Shape[]): Shape {
  return {
    full: `(?:${shapes.map(({ full }) => full).join('|')})`,
    part: `(?:${shapes.map(({ part }) => part).join('|')})`,
  };
}

/** The same, but only where `lookbehind` holds. */
export function after(lookbehind: string, shape: Shape): Shape {
  return { ...shape, full: `${lookbehind}${shape.full}`, part: `${lookbehind}${shape.part}` };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * Building blocks of regular expressions with two patterns each: one for a whole match, and one for the start of a
 * match that may be incomplete. A stream needs the second to know what to hold back.
 */
import { escapeRegex } from '../../base/escape-regex.js';

export interface Shape {
  /** Matches the whole. */
  full: string;
  /** Matches every incomplete start, including the empty one; `$` follows. */
  part: string;
}

export function literal(text: string): Shape {
  const letters = [...text].map(escapeRegex);
  const part = letters.slice(0, -1).reduceRight((rest, letter) => `(?:${letter}${rest})?`, '');
  return { full: letters.join(''), part };
}

/** One character of a regular-expression class. */
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

/** The same, but only where `lookbehind` matches. */
export function after(lookbehind: string, shape: Shape): Shape {
  return { ...shape, full: `${lookbehind}${shape.full}`, part: `${lookbehind}${shape.part}` };
}

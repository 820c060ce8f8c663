/** The values that the target of a removal may have, as far as the text tells. */
import { homesOf, type Place, type Surroundings } from './surroundings.js';
import type { Assignment, Word } from './types.js';

export interface Values {
  values: string[];
  /** It may be anything. */
  unknown: boolean;
}

const MOST_VALUES = 64;
const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?:(:?[-=])([^}]*)|[^}]*)?\}|([A-Za-z_]\w*))/;

/** @param bases where the command may stand */
export function valuesOfWord(
  word: Word,
  assignments: readonly Assignment[],
  around: Surroundings,
  bases: readonly Place[],
): Values {
  if (word.literal)
    return {
      values: [
        word.tilde || word.glob
          ? word.source.replace(/\\(.)/g, '$1').replace(/["']/g, '')
          : escapeTilde(word.text),
      ],
      unknown: false,
    };
  let values = expandBraces(word.source.replace(/\\([^$`])/g, '$1').replace(/["']/g, ''));
  for (let round = 0; round < 8; round++) {
    if (values.length > MOST_VALUES) return { values: [], unknown: true };
    if (!values.some((value) => /[$`]/.test(value))) break;
    values = values.flatMap((value) => expandOnce(value, assignments, around, bases));
  }
  const open = values.filter((value) => /[$`]/.test(value));
  // `{${HOME},x}`, or braces in the values of a loop.
  const known = values.filter((value) => !/[$`]/.test(value)).flatMap(expandBraces);
  return { values: known, unknown: known.length > MOST_VALUES || open.some(isAnything) };
}

/** A quoted tilde is a name. */
function escapeTilde(text: string): string {
  return text.startsWith('~') ? `./${text}` : text;
}

/** A temporary folder is what `mktemp` makes; nothing else is known about the output of a command. */
function isAnything(value: string): boolean {
  return !/^\$\(\s*mktemp\b[^)]*\)$/.test(value);
}

function expandOnce(
  value: string,
  assignments: readonly Assignment[],
  around: Surroundings,
  bases: readonly Place[],
): string[] {
  const directory =
    /\$\(\s*pwd(?: -[LP])?\s*\)|`\s*pwd(?: -[LP])?\s*`|\$\{?(?:OLD)?PWD\b\}?|\$\(\s*git rev-parse --show-toplevel\s*\)/;
  if (directory.test(value)) {
    const names = new Set([around.cwd, ...bases.flatMap(({ logical, real }) => [logical, real])]);
    return [...names].map((name) => value.replace(directory, () => name));
  }
  const match = VARIABLE.exec(value);
  if (!match || value.search(/[$`]/) < (match.index ?? 0)) return [value];
  const name = match[1] ?? match[4] ?? '';
  const put = (text: string) =>
    value.slice(0, match.index) + text + value.slice(match.index + match[0].length);
  const found = assignments.filter((item) => item.name === name);
  const candidates = found.flatMap((item) => {
    // `read x` and the like: it comes from the input.
    if (item.value === '') return ['$(cat)'];
    const list = /^\(([\s\S]*)\)$/.exec(item.value)?.[1];
    return item.literal || list === undefined ? [item.value] : list.trim().split(/\s+/);
  });
  if (candidates.length === 0)
    candidates.push(...(name === 'HOME' ? homesOf(around) : [around.env[name] ?? '']));
  if (match[2] !== undefined) candidates.push(match[3] ?? '');
  const isSelfReference = (text: string) => text.includes(`$${name}`) || text.includes(`\${${name}`);
  return candidates.filter((text) => !isSelfReference(text)).map((text) => put(text.replace(/["']/g, '')));
}

/** A sequence such as `{a..c}` becomes a glob that matches all of it. */
function expandBraces(written: string): string[] {
  const text = written.replace(/(?<!\$)\{[^{},]*\.\.[^{},]*\}/g, '*');
  const match = /(?<!\$)\{([^{}]*,[^{}]*)\}/.exec(text);
  if (!match) return [text];
  const [whole, body = ''] = match;
  const parts = body.split(',').slice(0, MOST_VALUES);
  return parts
    .flatMap((part) =>
      expandBraces(text.slice(0, match.index) + part + text.slice(match.index + whole.length)).slice(
        0,
        MOST_VALUES,
      ),
    )
    .slice(0, MOST_VALUES * 2);
}

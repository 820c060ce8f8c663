/**
 * Where secrets may begin: what is looked for in all of a text, so every character of these two patterns counts. Most
 * heads hold a sign, which is rarer than any letter; looking for all their first letters would take several times as
 * long. A condition behind the head keeps what only looks like one from being tried.
 */
import { NAMED_HEADS } from './named-secrets.js';
import { VENDOR_TOKENS } from './vendor-tokens.js';

/** Heads without a sign. */
export const LETTER_HEADS = new RegExp(
  [
    'AIza',
    `A[KS]IA${goesOn('[A-Z0-9]', 16)}`,
    'AT[AC]TT3',
    `eyJ${goesOn('[A-Za-z0-9_-]', 5)}`,
    '1\\/\\/0',
    `SK${goesOn('[0-9a-f]', 32)}`,
    `dapi${goesOn('[0-9a-f]', 32)}`,
  ].join('|'),
  'g',
);

/** By the first sign in the head, what stands before it. */
const BEFORE_SIGN: Readonly<Record<string, readonly string[]>> = {
  _: ['gh[a-z]', 'github', 'npm', '[rsp]k'],
  '-': ['glpat', 'xox[a-z]', 'GOCSPX'],
  '.': ['ya29'],
};

/** Stands before `user:password@`. */
export const ADDRESS_MARK = '://';

/** Heads by a sign in them. What stands before the sign is in one of the groups. */
export const SIGNED_HEADS = new RegExp(
  [
    ...Object.entries(BEFORE_SIGN).map(([sign, names]) => signed(sign, [...names, ...vendorNames(sign)])),
    ...NAMED_HEADS,
    `-(?<=(sk)-)(?:(?=(?:ant|proj|svcacct|admin|or)-)|${goesOn('[A-Za-z0-9]', 20)})`,
    `:\\/\\/(?=[^\\s:@/"'<>\\\\\`]{0,256}(?::|$))`,
    '-(?=----BEGIN )',
  ].join('|'),
  'g',
);

/** So many of these follow, or the text ends before. */
function goesOn(character: string, count: number): string {
  return `(?=${character}{${count}}|${character}{0,${count - 1}}$)`;
}

function signed(sign: string, names: readonly string[]): string {
  return `\\${sign}(?<=(${[...new Set(names)].join('|')})\\${sign})`.replaceAll('\\_', '_');
}

function vendorNames(sign: string): string[] {
  return VENDOR_TOKENS.flatMap(({ names = [] }) => names)
    .filter((name) => /[_.-]/.exec(name)?.[0] === sign)
    .map((name) => name.slice(0, name.indexOf(sign)));
}

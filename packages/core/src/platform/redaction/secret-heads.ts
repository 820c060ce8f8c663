/**
 * The starts ("heads") of secrets. They are searched in the whole text, so these two patterns must be fast. Most heads
 * contain a sign, which is rarer than any letter; searching their first letters would take several times as long.
 * Conditions after the head avoid trying text that only looks like one.
 */
import { NAMED_HEADS } from './named-secrets.js';
import { VENDOR_TOKENS } from './vendor-tokens.js';

/** Heads without a sign. */
export const LETTER_HEADS = new RegExp(
  [
    'AIza',
    `A[KS]IA${followedBy('[A-Z0-9]', 16)}`,
    'AT[AC]TT3',
    `eyJ${followedBy('[A-Za-z0-9_-]', 5)}`,
    '1\\/\\/0',
    `SK${followedBy('[0-9a-f]', 32)}`,
    `dapi${followedBy('[0-9a-f]', 32)}`,
  ].join('|'),
  'g',
);

/** The part of the head before its first sign. */
const BEFORE_SIGN: Readonly<Record<string, readonly string[]>> = {
  _: ['gh[a-z]', 'github', 'npm', '[rsp]k'],
  '-': ['glpat', 'xox[a-z]', 'GOCSPX'],
  '.': ['ya29'],
};

/** Comes before `user:password@`. */
export const ADDRESS_MARK = '://';

/** Heads with a sign. A group captures the part before the sign. */
export const SIGNED_HEADS = new RegExp(
  [
    ...Object.entries(BEFORE_SIGN).map(([sign, names]) => signed(sign, [...names, ...vendorNames(sign)])),
    ...NAMED_HEADS,
    `-(?<=(sk)-)(?:(?=(?:ant|proj|svcacct|admin|or)-)|${followedBy('[A-Za-z0-9]', 20)})`,
    `:\\/\\/(?=[^\\s:@/"'<>\\\\\`]{0,256}(?::|$))`,
    '-(?=----BEGIN )',
  ].join('|'),
  'g',
);

/** This many of the characters follow, or the text ends earlier. */
function followedBy(character: string, count: number): string {
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

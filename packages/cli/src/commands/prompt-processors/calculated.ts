/** Places where bash calculates with a text, quoted or not: it would run `a[$(command)]`. */

/** `let`, and variables that are declared to be numbers. */
const NUMBER =
  /(?:^|[\s;&|(])(?:let|(?:declare|typeset|local)\s(?:[^;&|\n]*\s)?-[a-zA-Z]*i[a-zA-Z]*)\s[^;&|\n]*$/;
const COMPARISON = /\s-(?:eq|ne|lt|le|gt|ge|v)\s/;

/** @param before what stands before the text in the command, `after` behind it */
export function isCalculated(before: string, after: string): boolean {
  return NUMBER.test(before) || isCompared(before, after) || isIndex(before, after);
}

/** Inside `[[ … -gt … ]]`; `[ … ]` does not calculate. */
function isCompared(before: string, after: string): boolean {
  const begin = before.lastIndexOf('[[');
  if (begin < 0 || before.includes(']]', begin)) return false;
  const [rest = ''] = after.split(']]');
  return COMPARISON.test(`${before.slice(begin)} ${rest}`);
}

/** `name[…]=` */
function isIndex(before: string, after: string): boolean {
  return /(?:^|[\s;&|(])\w+\[[^\s\]]*$/.test(before) && /^[^\s\]]*\]\+?=/.test(after);
}

/** The rules about errors: each class says whom it is for, and no code tells our errors apart by their text. */

const BASE = 'base/errors.ts';

/** Classes that extend `Error` itself, and so have no addressee. */
export function plainErrorClasses(sources: ReadonlyMap<string, string>): string[] {
  return found(sources, /\bclass\b[^{]*\bextends\s+(?:Type|Range|Syntax)?Error\b/g);
}

const ERROR = String.raw`(?:messageOf\(\w+\)|String\((?:error|cause)\)|\b(?:error|cause|thrown|failure|problem)\.message)`;
const COMPARED = new RegExp(
  [
    String.raw`\.name\s*[!=]==\s*'\w*Error'`,
    String.raw`\bconstructor\.name\b`,
    String.raw`startsWith\('(?:Fatal|\[API)`,
    String.raw`includes\('\[API`,
    String.raw`${ERROR}\s*(?:[!=]==|\.(?:includes|startsWith|endsWith|match|search)\()`,
    String.raw`\.(?:test|exec)\(\s*${ERROR}`,
  ].join('|'),
  'g',
);

/** Comparisons of messages or of names of classes. Server texts are read in `model/`, where they become a kind. */
export function comparedErrors(sources: ReadonlyMap<string, string>): string[] {
  return found(sources, COMPARED).filter((place) => !place.startsWith('model/'));
}

function found(sources: ReadonlyMap<string, string>, pattern: RegExp): string[] {
  return [...sources].flatMap(([path, text]) =>
    path === BASE || path.includes('.test-helper.')
      ? []
      : [...text.matchAll(pattern)].map(([match]) => `${path}: ${match}`),
  );
}

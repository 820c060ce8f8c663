/** What a paste becomes before it stands in the input: dropped files are references, `@` may be protected. */
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PasteSurroundings {
  cwd: string;
  home: string;
  isFile(path: string): boolean;
  /** `ui.escapePastedAtSymbols`. */
  escapeAt: boolean;
  platform?: NodeJS.Platform;
}

const IMAGE = /\.(png|jpe?g|webp|heic|heif)$/i;
/** Nobody drops more; a long text is not taken apart word by word. */
const MOST_PATHS = 100;
const LONGEST = 50_000;

/** @param text without control characters, lines end with `\n` */
export function preparePaste(text: string, surroundings: PasteSurroundings): string {
  const dropped = droppedReferences(text, surroundings);
  if (dropped) return dropped;
  return surroundings.escapeAt ? escapePastedAtSymbols(text) : text;
}

/** Every `@` that is not protected already. */
export function escapePastedAtSymbols(text: string): string {
  return text.replace(/(\\*)@/g, (whole, slashes: string) =>
    slashes.length % 2 === 1 ? whole : `${slashes}\\@`,
  );
}

/** One image or several files, and nothing else: references to them, and a blank to go on writing. */
export function droppedReferences(text: string, surroundings: PasteSurroundings): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LONGEST) return undefined;
  const paths = pathsIn(trimmed, surroundings);
  if (!paths) return undefined;
  const isDrop = paths.length > 1 || IMAGE.test(paths[0] ?? '');
  if (!isDrop || !paths.every((path) => surroundings.isFile(path))) return undefined;
  return `${paths.map((path) => atReference(path, surroundings)).join(' ')} `;
}

/** As it is typed: what would end the path is protected. */
export function atReference(
  path: string,
  { cwd, platform = process.platform }: { cwd: string; platform?: NodeJS.Platform },
): string {
  const inside = relative(cwd, path);
  const short = inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : path;
  const slashed = platform === 'win32' ? short.split(sep).join('/').replaceAll('\\', '/') : short;
  return `@${slashed.replace(/[\s,;!?()[\]{}"'\\@]/g, '\\$&')}`;
}

function pathsIn(text: string, surroundings: PasteSurroundings): string[] | undefined {
  // A name with blanks in it, not quoted: some terminals drop it so.
  if (!text.includes('\n') && surroundings.isFile(text))
    return isPathLike(text, surroundings) ? [text] : undefined;
  const words = wordsOf(text, surroundings.platform ?? process.platform);
  if (!words || words.length > MOST_PATHS) return undefined;
  const paths = words.map((word) => toPath(word, surroundings));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** A bare word is text, even where a file has that name. */
function isPathLike(word: string, { platform = process.platform }: PasteSurroundings): boolean {
  return word.startsWith('/') || (platform === 'win32' && /^([a-z]:[\\/]|\\\\)/i.test(word));
}

function toPath(word: string, surroundings: PasteSurroundings): string | undefined {
  if (word.startsWith('~/')) return surroundings.home + word.slice(1);
  if (/^file:\/\//i.test(word)) {
    try {
      return fileURLToPath(word);
    } catch {
      return undefined;
    }
  }
  return isPathLike(word, surroundings) ? word : undefined;
}

/** Blanks and line ends between, quotes and backslashes as in a shell. @returns undefined: a quote is left open */
function wordsOf(text: string, platform: NodeJS.Platform): string[] | undefined {
  const words: string[] = [];
  const word = /"([^"\n]*)"|'([^'\n]*)'|((?:\\.|[^\s"'\\])+)|(\s+)|(.)/gsy;
  let current: string | undefined;
  for (const [, double, single, bare, blank, other] of text.matchAll(word)) {
    if (blank !== undefined) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else if (other !== undefined && (other !== '\\' || platform !== 'win32')) return undefined;
    else current = (current ?? '') + (double ?? single ?? other ?? unescaped(bare ?? '', platform));
  }
  if (current !== undefined) words.push(current);
  return words;
}

function unescaped(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? word : word.replace(/\\(.)/gs, '$1');
}

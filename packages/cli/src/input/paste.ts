/** Prepares pasted text: dropped files become `@` references, other `@` may be escaped. */
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PasteOptions {
  cwd: string;
  home: string;
  isFile(path: string): boolean;
  /** `ui.escapePastedAtSymbols`. */
  escapeAt: boolean;
  platform?: NodeJS.Platform;
}

const IMAGE = /\.(png|jpe?g|webp|heic|heif)$/i;
/** Limits, so that a long text is not parsed word by word. */
const MAX_PATHS = 100;
const LONGEST = 50_000;

/** @param text without control characters, with `\n` as line end */
export function preparePaste(text: string, options: PasteOptions): string {
  const dropped = droppedReferences(text, options);
  if (dropped) return dropped;
  return options.escapeAt ? escapePastedAtSymbols(text) : text;
}

/** Escapes every `@` that is not escaped yet. */
export function escapePastedAtSymbols(text: string): string {
  return text.replace(/(\\*)@/g, (whole, slashes: string) =>
    slashes.length % 2 === 1 ? whole : `${slashes}\\@`,
  );
}

/** References, and a space to continue typing, if the text is only one image or several files. */
export function droppedReferences(text: string, options: PasteOptions): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LONGEST) return undefined;
  const paths = pathsIn(trimmed, options);
  if (!paths) return undefined;
  const isDrop = paths.length > 1 || IMAGE.test(paths[0] ?? '');
  if (!isDrop || !paths.every((path) => options.isFile(path))) return undefined;
  return `${paths.map((path) => atReference(path, options)).join(' ')} `;
}

/** Escapes characters that would end the path. */
export function atReference(
  path: string,
  { cwd, platform = process.platform }: { cwd: string; platform?: NodeJS.Platform },
): string {
  const inside = relative(cwd, path);
  const short = inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : path;
  const slashed = platform === 'win32' ? short.split(sep).join('/').replaceAll('\\', '/') : short;
  return `@${slashed.replace(/[\s,;!?()[\]{}"'\\@]/g, '\\$&')}`;
}

function pathsIn(text: string, options: PasteOptions): string[] | undefined {
  // Some terminals drop a name with spaces without quoting it.
  if (!text.includes('\n') && options.isFile(text)) return isPathLike(text, options) ? [text] : undefined;
  const words = wordsOf(text, options.platform ?? process.platform);
  if (!words || words.length > MAX_PATHS) return undefined;
  const paths = words.map((word) => toPath(word, options));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** A bare word is text, even if a file has that name. */
function isPathLike(word: string, { platform = process.platform }: PasteOptions): boolean {
  return word.startsWith('/') || (platform === 'win32' && /^([a-z]:[\\/]|\\\\)/i.test(word));
}

function toPath(word: string, options: PasteOptions): string | undefined {
  if (word.startsWith('~/')) return options.home + word.slice(1);
  if (/^file:\/\//i.test(word)) {
    try {
      return fileURLToPath(word);
    } catch {
      return undefined;
    }
  }
  return isPathLike(word, options) ? word : undefined;
}

/** Splits at white space, with quotes and backslashes as in a shell. @returns undefined for an open quote */
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

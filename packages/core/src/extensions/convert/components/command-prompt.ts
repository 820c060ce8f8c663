/** The text of a Claude Code command as a prompt template: arguments, shell commands, files. */
import { fencedBlocks } from '../../../base/markdown-fences.js';
import { filePathAt } from './file-reference.js';
import { outsideQuotes } from './shell-arguments.js';

export interface ConvertedPrompt {
  prompt: string;
  /** Without a final dot. */
  losses: string[];
}

/** `text` stays text, whatever it contains. */
type Piece = { kind: 'text'; text: string } | { kind: 'args' } | { kind: 'shell' | 'file'; text: string };

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
const POSITION = /(?<![\w$\\{])\$([1-9])(?![\w}]|[.,]\d)/g;
const INDEXED = /\$(?:ARGUMENTS|\{ARGUMENTS\})\[(\d)\]/g;

/** @param outside a folder whose files a command cannot insert */
export function commandPrompt(body: string, outside?: string): ConvertedPrompt {
  const losses = new Set<string>();
  const usage: Usage = { ...argumentsUsed(body), ...(outside !== undefined && { outside }) };
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, content } of fencedBlocks(body)) {
    pieces.push(...prosePieces(body.slice(at, start), usage, losses));
    const block = body.slice(start, end);
    const isShell = /^[ \t>]*(?:`{3,}|~{3,})!/.test(block);
    const command = isShell ? shellText(content.trim(), usage) : undefined;
    if (command !== undefined && isBalanced(content)) {
      pieces.push({ kind: 'shell', text: command });
      if (block.endsWith('\n')) pieces.push({ kind: 'text', text: '\n' });
    } else {
      if (isShell)
        losses.add(
          command === undefined
            ? `a command cannot get ${missing(content)} here and stays text`
            : 'a command with unbalanced braces stays text',
        );
      pieces.push(
        ...withArguments(usage.isListed ? indexInWords(block) : block.replace(INDEXED, '$ARGUMENTS')),
      );
    }
    at = end;
  }
  pieces.push(...prosePieces(body.slice(at), usage, losses));
  if (usage.isListed) {
    losses.add(
      'single arguments ($1, $2, …) do not exist here: the prompt shows all of them and names each by its place',
    );
    pieces.unshift({ kind: 'text', text: 'Arguments: ' }, { kind: 'args' }, { kind: 'text', text: '\n\n' });
  }
  return { prompt: serialize(pieces, losses), losses: [...losses] };
}

interface ArgumentUse {
  /** All arguments are listed on top, and each place is named in words. */
  isListed: boolean;
}

interface Usage extends ArgumentUse {
  outside?: string;
}

/** In code blocks `$1` belongs to the shell, awk or SQL. */
function argumentsUsed(body: string): ArgumentUse {
  let prose = '';
  let at = 0;
  for (const { start, end } of fencedBlocks(body)) {
    prose += `${body.slice(at, start)}\n`;
    at = end;
  }
  prose += body.slice(at);
  const places = new Set([
    ...Array.from(prose.matchAll(POSITION), ([, place]) => Number(place)),
    ...Array.from(body.matchAll(INDEXED), ([, index]) => Number(index) + 1),
  ]);
  const usesAll = /\$(?:ARGUMENTS\b|\{ARGUMENTS\})(?!\[\d\])/.test(body);
  return { isListed: [...places].some((place) => place > 1) || (places.size > 0 && usesAll) };
}

/** As Claude Code reads them: behind other characters they stay text. */
const SHELL = /(?<=^|\s)!`([^`\n]+)`/g;
const OVER_LINES = /(?<=^|\s)!`(?:[^`\n]+\n)+[^`\n]*`/;
const NEEDS_SETTING = /\$\{user_config\.|\bCLAUDE_PLUGIN_OPTION_/;

function prosePieces(text: string, usage: Usage, losses: Set<string>): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  if (OVER_LINES.test(text)) losses.add('a command over several lines stays text');
  for (const match of text.matchAll(SHELL)) {
    pieces.push(...filePieces(text.slice(at, match.index), usage, losses));
    const command = (match[1] ?? '').trim();
    const written = shellText(command, usage);
    if (written !== undefined && isBalanced(command)) pieces.push({ kind: 'shell', text: written });
    else {
      losses.add(
        written === undefined
          ? `the command \`${command.slice(0, 60)}\` cannot get ${missing(command)} here, so the model runs it`
          : `the command \`${command.slice(0, 60)}\` has unbalanced braces and stays text`,
      );
      pieces.push({ kind: 'text', text: `\`${inWords(command)}\`` });
    }
    at = match.index + match[0].length;
  }
  return [...pieces, ...filePieces(text.slice(at), usage, losses)];
}

function missing(command: string): string {
  return NEEDS_SETTING.test(command) ? 'the value of a setting' : 'its arguments';
}

/**
 * Undefined: it needs an argument by its place, or where no quotes protect it, or a setting, without which
 * `rm -rf ${user_config.cache}/x` removes something else. In single quotes `$1` belongs to awk and its like.
 */
function shellText(command: string, { isListed }: ArgumentUse): string | undefined {
  if (NEEDS_SETTING.test(command)) return undefined;
  const bare = command.replace(/'[^']*'/g, (quoted) => ' '.repeat(quoted.length));
  const hasPlaces = bare.match(POSITION) !== null || INDEXED.test(command);
  INDEXED.lastIndex = 0;
  if (hasPlaces && isListed) return undefined;
  const parts = command.split(/('[^']*')/);
  const first = parts.map((part) => (part.startsWith("'") ? part : part.replace(POSITION, '{{args}}')));
  return outsideQuotes(first.join('').replace(INDEXED, '{{args}}').replace(ALL_ARGUMENTS, '{{args}}'));
}

const ALL_ARGUMENTS = /(?<!\\)\$(?:ARGUMENTS\b|\{ARGUMENTS\})/g;

/** Inline code keeps its `@`; arguments are replaced there, too. */
function filePieces(text: string, usage: Usage, losses: Set<string>): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(/(`+)[^`]*\1|(?<=^|\s)@\S+/gm)) {
    if (match[1] !== undefined) continue;
    const found = filePathAt(match[0]);
    if (!found) continue;
    pieces.push(...argumentPieces(text.slice(at, match.index), usage));
    if (found.kind === 'file' && usage.outside !== undefined && found.path.startsWith(`${usage.outside}/`)) {
      losses.add(
        'files of the plugin are not inserted: they are outside of the workspace, and the prompt has their paths',
      );
      pieces.push({ kind: 'text', text: found.path });
    } else if (found.kind === 'argument')
      losses.add('the file that an argument names is not inserted: the prompt has its name');
    else pieces.push({ kind: 'file', text: found.path });
    at = match.index + (found.kind === 'argument' ? 1 : found.length);
  }
  return [...pieces, ...argumentPieces(text.slice(at), usage)];
}

function argumentPieces(text: string, { isListed }: ArgumentUse): Piece[] {
  if (isListed) return withArguments(inWords(text));
  return withArguments(text.replace(INDEXED, '$ARGUMENTS').replace(POSITION, '$$ARGUMENTS'));
}

function inWords(text: string): string {
  return indexInWords(text).replace(POSITION, (whole, place: string) => wordsFor(Number(place)) ?? whole);
}

function indexInWords(text: string): string {
  return text.replace(INDEXED, (whole, index: string) => wordsFor(Number(index) + 1) ?? whole);
}

function wordsFor(place: number): string | undefined {
  const word = ORDINALS[place - 1];
  return word && `the ${word} argument`;
}

function withArguments(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(ALL_ARGUMENTS)) {
    pieces.push({ kind: 'text', text: text.slice(at, match.index) }, { kind: 'args' });
    at = match.index + match[0].length;
  }
  return [...pieces, { kind: 'text', text: text.slice(at) }];
}

/** As the reader of templates counts braces. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth++;
    else if (char === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

function serialize(pieces: readonly Piece[], losses: Set<string>): string {
  const written: string[] = [];
  for (const piece of pieces) {
    const text = write(piece, losses);
    if (text === '') continue;
    const before = written.at(-1) ?? '';
    // A mark before a placeholder, or two texts that meet, would be read as another placeholder.
    const joins = /[!@]/.test(before.slice(-1)) && text.startsWith('{');
    if (joins || isSplit(before, text)) written.push(' ');
    written.push(text);
  }
  return written.join('').trim();
}

function isSplit(before: string, after: string): boolean {
  return before.endsWith('{') && after.startsWith('{') && /^\{args\}\}/.test(after);
}

function write(piece: Piece, losses: Set<string>): string {
  switch (piece.kind) {
    case 'args':
      return '{{args}}';
    case 'shell':
      if (piece.text.includes('{{args}}'))
        losses.add('command lines get the arguments as one quoted word: they are not split at spaces');
      return `!{${piece.text}}`;
    case 'file':
      return `@{${piece.text}}`;
    case 'text':
      return escaped(piece.text, losses);
  }
}

/** Placeholders have no escape: a space keeps them from being read as such. */
function escaped(text: string, losses: Set<string>): string {
  const plain = text.replace(/\{\{args\}\}/g, '{ {args}}').replace(/([!@])\{/g, '$1 {');
  if (plain !== text)
    losses.add('"{{args}}", "!{" and "@{" of the text have a space now, so that they stay text');
  return plain;
}

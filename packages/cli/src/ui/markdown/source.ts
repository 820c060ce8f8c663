/** Raw mode: Markdown as written. Only code is coloured, without line numbers. */
import type { Look } from '../look.js';
import { cleanText } from '../text/clean.js';
import { stylesOf } from '../themes/styles.js';
import { BlockScanner } from './blocks.js';
import { codeLines } from './code.js';
import { languageName, rawLines } from './tokens.js';

export function sourceLines(text: string, look: Look): string[] {
  const scanner = new BlockScanner();
  scanner.read(text);
  return scanner.blocksAt(text).blocks.flatMap((block, index) => {
    const source = cleanText(text.slice(block.start, block.end)).replace(/\n+$/, '');
    const lines = block.kind === 'fence' ? fenceLines(source, look) : rawLines(source, look);
    return block.isAfterBlank && index > 0 ? ['', ...lines] : lines;
  });
}

function fenceLines(source: string, look: Look): string[] {
  const [opening = '', ...rest] = source.split('\n');
  const closing = /^\s*(?:`{3,}|~{3,})\s*$/.test(rest.at(-1) ?? '') ? rest.pop() : undefined;
  const { comment } = stylesOf(look.theme);
  const language = languageName(opening.replace(/^\s*(?:`+|~+)/, ''));
  const body =
    rest.length > 0
      ? codeLines(rest.join('\n'), { ...look, showLineNumbers: false, screenReader: true }, { language })
      : [];
  return [
    look.paint(opening, comment),
    ...body,
    ...(closing === undefined ? [] : [look.paint(closing, comment)]),
  ];
}

/** Commands with a `$0` count their arguments from zero: `$1` is the second one. */
import { fencedBlocks } from '../../../base/markdown-fences.js';

const PLACE = /(?<![\w$\\{])\$(\d)(?![\w}]|[.,]\d)/g;

/** `$0` and `$1` become `$ARGUMENTS[0]` and `$ARGUMENTS[1]`. Without a `$0` nothing changes. */
export function fromZero(body: string): string {
  if (!body.includes('$0')) return body;
  let usesZero = false;
  const changed = inProse(body, (text) =>
    text.replace(PLACE, (_whole, digit: string) => {
      usesZero ||= digit === '0';
      return `$ARGUMENTS[${digit}]`;
    }),
  );
  return usesZero ? changed : body;
}

/** Not in code blocks, and in inline code not between single quotes: there `$0` belongs to awk and its like. */
function inProse(body: string, change: (text: string) => string): string {
  const ofProse = (text: string) =>
    text.replace(/`[^`\n]*`|[^`]+/g, (piece) =>
      piece.startsWith('`')
        ? piece
            .split(/('[^']*')/)
            .map((part) => (part.startsWith("'") ? part : change(part)))
            .join('')
        : change(piece),
    );
  let result = '';
  let at = 0;
  for (const { start, end } of fencedBlocks(body)) {
    result += ofProse(body.slice(at, start)) + body.slice(start, end);
    at = end;
  }
  return result + ofProse(body.slice(at));
}

/** Where a streaming answer may be split: the part before is final and can go to the scrollback. */
import { beginsWith } from '../text/begins-with.js';
import { BlockScanner } from './blocks.js';

let last: { text: string; scanner: BlockScanner } | undefined;

/** Characters before the last blank line outside of fences, tables and lists; 0 if there is none. */
export function splitAtSafePoint(text: string): number {
  if (!last || !beginsWith(text, last.text)) last = { text: '', scanner: new BlockScanner() };
  last.scanner.read(text);
  last.text = text;
  return last.scanner.safePoint;
}

/** `/copy [n]`: the last answer, or one of its code blocks. */
import { messageOf } from '@gemini-cli/core';
import { type Action, failure, info } from './define.js';

export const copy: Action = async ({ ui }, args) => {
  const text = ui.app.lastModelText();
  if (!text) return info('There is no answer to copy yet.');
  const chosen = args === '' ? text : blockOf(text, args);
  if (chosen === undefined) {
    const count = codeBlocks(text).length;
    return failure(`/copy ${args}: the last answer has ${count} code ${count === 1 ? 'block' : 'blocks'}.`);
  }
  try {
    await ui.app.copyToClipboard(chosen);
  } catch (error) {
    return failure(`Nothing was copied: ${messageOf(error)}`);
  }
  return info(
    args === '' ? 'The last answer is in the clipboard.' : `Code block ${args} is in the clipboard.`,
  );
};

function blockOf(text: string, number: string): string | undefined {
  return /^[1-9]\d*$/.test(number) ? codeBlocks(text)[Number(number) - 1] : undefined;
}

/** Contents of fenced blocks; one that never ends counts to the end of the text. */
export function codeBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === undefined) {
      if (mark?.[1] && !(mark[1].startsWith('`') && mark[2]?.includes('`'))) fence = mark[1];
      continue;
    }
    const isEnd = mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '';
    if (!isEnd) {
      lines.push(line);
      continue;
    }
    blocks.push(lines.join('\n'));
    lines = [];
    fence = undefined;
  }
  if (fence !== undefined) blocks.push(lines.join('\n'));
  return blocks;
}

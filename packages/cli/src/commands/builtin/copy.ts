/** `/copy [n]`: copies the last answer, or one of its code blocks. */
import { fencedBlocks, messageOf } from '@gemini-cli/core';
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
  return info(args === '' ? 'Copied the last answer.' : `Copied code block ${args}.`);
};

function blockOf(text: string, number: string): string | undefined {
  return /^[1-9]\d*$/.test(number) ? codeBlocks(text)[Number(number) - 1] : undefined;
}

export function codeBlocks(markdown: string): string[] {
  return fencedBlocks(markdown).map(({ content }) => content);
}

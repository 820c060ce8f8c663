/** What the model gets when a skill is activated, and how that is found again in a conversation. */
import type { Message } from '../protocol/messages.js';
import { ACTIVATE_SKILL } from '../protocol/tool-names.js';

export function activatedText(name: string, body: string, tree: string): string {
  return [
    `<activated_skill name="${escaped(name)}">`,
    '  <instructions>',
    `    ${body}`,
    '  </instructions>',
    '',
    '  <available_resources>',
    ...escaped(tree)
      .split('\n')
      .map((line) => `    ${line}`),
    '  </available_resources>',
    '</activated_skill>',
  ].join('\n');
}

const OPENING = /^<activated_skill name="([^"\n]*)">\n/;

/** The texts of the skills activated in a conversation, each once, in order; also those repeated after a summary. */
export function activatedIn(history: readonly Message[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { origin, parts } of history) {
    for (const { functionResponse, text } of parts) {
      if (functionResponse?.name === ACTIVATE_SKILL) keep(found, functionResponse.response['output']);
      else if (origin === 'reminder') keep(found, text);
    }
  }
  return found;
}

function keep(found: Map<string, string>, text: unknown): void {
  const name = typeof text === 'string' ? OPENING.exec(text)?.[1] : undefined;
  if (name !== undefined) found.set(unescaped(name), text as string);
}

/** Names of files and skills must not close the tags around them. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Warnings about a call: deceptive addresses, hidden characters, redirections. */
import { type ConfirmationView, deceptiveHosts, visibleText } from '@gemini-cli/core';
import { redirectionsIn } from './redirection.js';

export function warningsFor(details: ConfirmationView): string[] {
  const texts = textsOf(details);
  return [...addressWarnings(texts), ...hiddenWarnings(details, texts), ...redirectionWarnings(details)];
}

function addressWarnings(texts: readonly string[]): string[] {
  const hosts = [...new Set(texts.flatMap(deceptiveHosts))];
  if (hosts.length === 0) return [];
  return [`An address here is not what it looks like. It leads to: ${hosts.slice(0, MAX_NAMED).join(', ')}`];
}

/** Core shows hidden characters as `\u{…}`; of an edit the raw new content is checked too. */
function hiddenWarnings(details: ConfirmationView, texts: readonly string[]): string[] {
  const hasHidden =
    details.type === 'edit'
      ? [details.title, details.fileName].some(hasMarks) || hasUnseen(details.newContent)
      : texts.some(hasMarks);
  return hasHidden ? ['The text has characters that cannot be seen. They are shown as \\u{…}.'] : [];
}

function hasMarks(text: string): boolean {
  return /\\u\{[0-9A-F]{2,6}\}/.test(text);
}

function hasUnseen(content: string): boolean {
  const text = content.replaceAll('\r\n', '\n');
  return visibleText(text) !== text;
}

function redirectionWarnings(details: ConfirmationView): string[] {
  if (details.type !== 'exec') return [];
  const targets = [details.command, ...(details.commands ?? [])].flatMap(redirectionsIn);
  const named = [...new Set(targets)].slice(0, MAX_NAMED);
  return named.length > 0 ? [`The command redirects input or output: ${named.join(', ')}`] : [];
}

const MAX_NAMED = 3;

function textsOf(details: ConfirmationView): string[] {
  switch (details.type) {
    case 'edit':
      return [details.title, details.fileName, details.fileDiff];
    case 'exec':
      return [details.title, details.command, ...(details.commands ?? [])];
    case 'sandbox_expansion':
      return [details.title, details.command, JSON.stringify(details.additionalPermissions)];
    case 'info':
      return [details.title, details.prompt, ...(details.urls ?? [])];
    case 'mcp':
      return [details.title, details.serverName, details.toolName, JSON.stringify(details.toolArgs ?? {})];
    default:
      return [];
  }
}

/** Exports a history as Markdown or JSON, for `/chat share`. */
import { replaceFile } from '../../platform/files/atomic-write.js';
import type { Content, Part } from '../../protocol/messages.js';
import { textOf } from '../../protocol/messages.js';
import { type RedactValue, redactContents } from '../recording/redact-record.js';
import { SessionError } from '../session-error.js';

/** Turns under `## USER` and `## MODEL`, calls and responses as JSON. */
export function exportMarkdown(history: readonly Content[], redact: RedactValue = (value) => value): string {
  return `${redactContents(history, redact).map(turnOf).join('\n\n---\n\n')}\n`;
}

export interface HistoryExport {
  history: readonly Content[];
  /** `.json` or `.md`. */
  filePath: string;
  redact?: RedactValue;
}

/** @throws SessionError for other extensions, FileError when it cannot be written */
export function exportHistoryToFile({ history, filePath, redact = (value) => value }: HistoryExport): void {
  const clean = redactContents(history, redact);
  if (/\.md$/i.test(filePath)) replaceFile(filePath, Buffer.from(exportMarkdown(clean)));
  else if (/\.json$/i.test(filePath))
    replaceFile(filePath, Buffer.from(`${JSON.stringify(clean, null, 2)}\n`));
  else
    throw new SessionError('WRITE_FAILED', `Cannot export to ${filePath}: only .json and .md are supported.`);
}

function turnOf({ role, parts }: Content): string {
  const head = role === 'user' ? '## USER 🧑‍💻' : '## MODEL ✨';
  const body = [textOf(parts), ...parts.flatMap(callOf)].filter((text) => text !== '');
  return [head, ...body].join('\n\n');
}

function callOf({ functionCall, functionResponse, inlineData, fileData }: Part): string[] {
  if (functionCall) return [`**Tool Command**:\n\n${fenced(functionCall)}`];
  if (functionResponse) {
    const { parts = [], ...response } = functionResponse;
    return [`**Tool Response**:\n\n${fenced(response)}`, ...parts.flatMap(callOf)];
  }
  const media = inlineData ?? fileData;
  return media ? [`*(${media.mimeType} attached)*`] : [];
}

/** The fence is longer than any inside the text. */
function fenced(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

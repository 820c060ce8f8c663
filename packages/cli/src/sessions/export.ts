/** Exports a session as JSON that can be imported again, as Markdown, or as an HTML page. */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConversationRecord, codeOf, messageOf } from '@gemini-cli/core';
import { escapeControls } from '../output/json-text.js';
import { oneLine, safeText } from '../output/output.js';
import type { SessionProject } from './project.js';

export type ExportFormat = 'json' | 'markdown' | 'html';

/** Yields pieces, so that a long session is never one string. */
export async function exportPieces(
  record: ConversationRecord,
  format: ExportFormat,
  { sessions, redactor }: SessionProject,
): Promise<Iterable<string>> {
  const redact = <T>(value: T) => redactor.redactValue(value);
  switch (format) {
    case 'json':
      // Escaped, not removed: an import must give back the same text.
      return [escapeControls(sessions.exportSession(record, redact))];
    case 'markdown':
      return [
        safeText(sessions.exportMarkdown(sessions.toMessages(record), redact)),
        ...(record.agents ?? []).map((agent) => agentMarkdown(agent, sessions, redact)),
      ];
    case 'html':
      return sessions.exportSessionHtml(record, { redact });
  }
}

function agentMarkdown(
  agent: ConversationRecord,
  sessions: SessionProject['sessions'],
  redact: <T>(value: T) => T,
): string {
  const name = oneLine(redact(agent.agentName ?? agent.sessionId));
  const messages = sessions.toMessages(agent);
  return `\n---\n\n# Agent ${name}\n\n${safeText(sessions.exportMarkdown(messages, redact))}`;
}

/** Only the owner may read the file. An existing one is replaced as a whole, or not at all. */
export function writeExport(
  file: string,
  content: string | Iterable<string>,
  { force, cwd }: { force: boolean; cwd: string },
): void {
  const path = resolve(cwd, file);
  const pieces = typeof content === 'string' ? [content] : content;
  try {
    if (force) replace(path, pieces);
    else create(path, pieces);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && !force)
      throw new Error(`${file} exists already. Choose another name, or add --force to replace it.`);
    throw new Error(`Cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function create(path: string, pieces: Iterable<string>): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) writeFileSync(descriptor, piece);
  } catch (error) {
    // Half a session is useless.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function replace(path: string, pieces: Iterable<string>): void {
  const temporary = `${path}.${process.pid}.tmp`;
  create(temporary, pieces);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

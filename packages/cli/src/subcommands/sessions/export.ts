/** `gemini sessions export`: a session as JSON to be read again, or as Markdown for people. */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConversationRecord, codeOf, messageOf } from '@gemini-cli/core';
import { escapeControls } from '../../headless/json-text.js';
import type { ExportFormat } from './arguments.js';
import { safeText } from './format.js';
import type { SessionProject } from './project.js';

export function exportText(
  record: ConversationRecord,
  format: ExportFormat,
  project: SessionProject,
): string {
  const { sessions, redactor } = project;
  if (format === 'json') {
    // Escaped, not removed: what is imported again is what was said.
    return escapeControls(sessions.exportSession(record, (value) => redactor.redactValue(value)));
  }
  return safeText(sessions.exportMarkdown(redactor.redactValue(sessions.toMessages(record))));
}

/** A conversation is private: only its owner reads the file. An existing one is replaced as a whole, or not at all. */
export function writeExport(
  file: string,
  text: string,
  { force, cwd }: { force: boolean; cwd: string },
): void {
  const path = resolve(cwd, file);
  try {
    if (force) replace(path, text);
    else create(path, text);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && !force)
      throw new Error(`${file} exists already. Choose another name, or add --force to replace it.`);
    throw new Error(`Cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function create(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    // Half a session is of no use, and the file is our own.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  create(temporary, text);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Transcripts of sub-agents: the files in the folder of the session that they worked for. */
import { constants, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { namesIn } from '../../platform/files/try-read.js';
import { createLog } from '../../platform/log.js';
import type { ConversationRecord } from '../../protocol/session-record.js';
import { readSession } from '../reading/read-session.js';
import { fileNameFor } from '../session-names.js';

const log = createLog('sessions');

/** Limits for folders that other programs fill. */
const MAX_TRANSCRIPTS = 200;
const MAX_BYTES = 16 * 1024 * 1024;

/** @param path the file of the session. Files that cannot be read are left out. */
export function readTranscripts(path: string, sessionId: string): ConversationRecord[] {
  return transcriptsIn(folderOf(path, sessionId))
    .map(({ record }) => record)
    .sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
}

/** Copies the transcripts of some calls to a copy of their session. */
export function copyTranscripts(
  from: { path: string; sessionId: string },
  to: { path: string; sessionId: string },
  isCopied: (callId: string) => boolean,
): void {
  const source = folderOf(from.path, from.sessionId);
  const wanted = transcriptsIn(source).filter(({ record }) => isCopied(record.parentCallId ?? ''));
  if (wanted.length === 0) return;
  const target = folderOf(to.path, to.sessionId);
  preparePrivateDirectory(target);
  for (const { name } of wanted)
    copyFileSync(join(source, name), join(target, name), constants.COPYFILE_EXCL);
}

function folderOf(path: string, sessionId: string): string {
  return join(dirname(path), fileNameFor(sessionId));
}

function transcriptsIn(folder: string): { name: string; record: ConversationRecord }[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.jsonl'));
  return names.slice(0, MAX_TRANSCRIPTS).flatMap((name) => {
    try {
      const record = readSession(join(folder, name), { maxBytes: MAX_BYTES });
      return record.kind === 'subagent' ? [{ name, record }] : [];
    } catch (error) {
      log.warn('transcript not read', error);
      return [];
    }
  });
}

/** The session with the work of its sub-agents. */
export function withTranscripts(record: ConversationRecord, path: string): ConversationRecord {
  const agents = readTranscripts(path, record.sessionId);
  return agents.length === 0 ? record : { ...record, agents };
}

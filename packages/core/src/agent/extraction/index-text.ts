/** The index of sessions as the extraction agent reads it. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { SessionSelection } from '../../memory/auto/eligibility.js';
import { createLog } from '../../platform/log.js';
import type { MemoryScratchpad } from '../../protocol/session-record.js';
import { type SessionInfo, titleOf } from '../../sessions/finding/session-info.js';
import { readSession } from '../../sessions/reading/read-session.js';
import { currentScratchpad } from '../../sessions/summaries/scratchpad.js';

const log = createLog('auto-memory');

const READ_BYTES = 2 * 1024 * 1024;
const LINE_CHARS = 300;

export async function indexText(
  { fresh, known }: SessionSelection<SessionInfo>,
  redact: (text: string) => string,
): Promise<string> {
  const lines: string[] = [];
  for (const session of fresh) {
    lines.push(`${lineOf(session, 'NEW', redact)}${workflowOf(session, redact)}`);
    // Reading a session takes time; the user's own work comes first.
    await nextTick();
  }
  for (const session of known) lines.push(lineOf(session, 'seen before', redact));
  return [
    'The index of sessions. Titles and summaries are quoted from them.',
    wrapUntrusted(lines.join('\n')),
    'Look at every NEW session, then write what is worth it, if anything.',
  ].join('\n');
}

function lineOf(session: SessionInfo, state: string, redact: (text: string) => string): string {
  const { id, lastUpdated, userMessageCount } = session;
  return `- ${id} (${state}, ${lastUpdated.slice(0, 10)}, ${userMessageCount} prompts): ${redact(titleOf(session))}`;
}

function workflowOf({ path }: SessionInfo, redact: (text: string) => string): string {
  try {
    const pad = currentScratchpad(readSession(path, { maxBytes: READ_BYTES }));
    const text = typeof pad === 'string' ? pad : pad && summaryOf(pad);
    return text ? `\n  did: ${redact(text).replace(/\s+/g, ' ').slice(0, LINE_CHARS)}` : '';
  } catch (error) {
    log.debug('no scratchpad', error);
    return '';
  }
}

function summaryOf({ workflowSummary, toolSequence }: MemoryScratchpad): string {
  return workflowSummary ?? toolSequence?.join(' > ') ?? '';
}

/** Lists sessions from the first and last line of each file; reads the whole file only where those are not enough. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { isObject } from '../../base/objects.js';
import { namesIn } from '../../platform/files/try-read.js';
import { createLog } from '../../platform/log.js';
import type { ConversationRecord } from '../../protocol/session-record.js';
import { readSession } from '../reading/read-session.js';
import { isSessionFileName, withoutExtension } from '../session-names.js';
import type { SessionPlaces } from './session-places.js';

const log = createLog('sessions');

export interface TextMatch {
  /** Text before, the match itself, text after. */
  before: string;
  match: string;
  after: string;
  role: 'user' | 'assistant';
}

export interface SessionInfo {
  id: string;
  /** Name without extension. */
  file: string;
  fileName: string;
  path: string;
  startTime: string;
  lastUpdated: string;
  messageCount: number;
  userMessageCount: number;
  /** The summary, else the first prompt. */
  displayName: string;
  firstUserMessage: string;
  isCurrentSession: boolean;
  /** From 1, oldest start first. */
  index: number;
  summary?: string;
  hasUserOrAssistantMessage: boolean;
  /** Only in search results. */
  fullContent?: string;
  matchSnippets?: TextMatch[];
}

const END_BYTES = 1024;
/** Of larger files from other programs only the beginning is read for the list. */
const MAX_SCAN_BYTES = 32 * 1024 * 1024;
const BEGINNING_BYTES = 1024 * 1024;

export interface ListOptions {
  currentSessionId?: string;
  /** Called for files that are not sessions or cannot be read. */
  onUnreadable?(path: string, why: unknown): void;
}

/** Main sessions that are not empty, oldest start first; of two files with one id the newer. */
export function listSessions(places: SessionPlaces, options: ListOptions = {}): SessionInfo[] {
  const byId = new Map<string, SessionInfo>();
  for (const path of sessionFiles(places)) {
    const info = infoOf(path, options);
    if (!info) continue;
    const other = byId.get(info.id);
    if (!other || isNewer(info, other)) byId.set(info.id, info);
  }
  const sessions = [...byId.values()].sort(byStart);
  sessions.forEach((session, index) => {
    session.index = index + 1;
  });
  return sessions;
}

/** Session files by name only. The metadata file of a flat session is not a session. */
export function sessionFiles({
  chatsDir,
  readOnlyDirs,
}: Pick<SessionPlaces, 'chatsDir' | 'readOnlyDirs'>): string[] {
  return [chatsDir, ...readOnlyDirs].flatMap((directory) => {
    const names = namesIn(directory);
    // Concatenated: `join` on thousands of names takes longer than listing the folder.
    const folder = directory.endsWith(sep) ? directory : directory + sep;
    const all = new Set(names);
    return names
      .filter((name) => isSessionFileName(name) && !all.has(flatConversationOf(name) ?? ''))
      .map((name) => folder + name);
  });
}

function flatConversationOf(name: string): string | undefined {
  const id = /^session-(.+)\.json$/.exec(name)?.[1];
  return id === undefined ? undefined : `conversation-${id}.jsonl`;
}

function infoOf(path: string, { currentSessionId, onUnreadable }: ListOptions): SessionInfo | undefined {
  try {
    const record = overview(path);
    if (record.kind === 'subagent' || !record.hasUserOrAssistantMessage) return undefined;
    const fileName = basename(path);
    const firstUserMessage = oneLine(record.firstUserMessage ?? '');
    return {
      id: record.sessionId,
      file: withoutExtension(fileName),
      fileName,
      path,
      startTime: record.startTime,
      lastUpdated: record.lastUpdated,
      messageCount: record.messageCount,
      userMessageCount: record.userMessageCount,
      displayName: oneLine(record.summary ?? '') || firstUserMessage || 'Untitled session',
      firstUserMessage,
      isCurrentSession: record.sessionId === currentSessionId,
      index: 0,
      ...(record.summary !== undefined && { summary: record.summary }),
      hasUserOrAssistantMessage: true,
    };
  } catch (error) {
    log.warn('not listed', error);
    onUnreadable?.(path, error);
    return undefined;
  }
}

type Overview = Pick<
  ConversationRecord,
  | 'sessionId'
  | 'startTime'
  | 'lastUpdated'
  | 'kind'
  | 'summary'
  | 'messageCount'
  | 'userMessageCount'
  | 'firstUserMessage'
  | 'hasUserOrAssistantMessage'
>;

function overview(path: string): Overview {
  const ends = endsOf(path);
  const fromEnds = ends && overviewFrom(ends);
  if (fromEnds) return fromEnds;
  const isLarge = (ends?.size ?? 0) > MAX_SCAN_BYTES;
  return readSession(path, { metadataOnly: true, ...(isLarge && { scanBytes: BEGINNING_BYTES }) });
}

interface Ends {
  first: string;
  last: string;
  size: number;
}

/** Undefined when the two lines are not ours. Checked field by field for speed: a list has thousands of sessions. */
function overviewFrom({ first, last }: Ends): Overview | undefined {
  const metadata = parsed(first);
  const set = parsed(last)?.['$set'];
  if (!metadata || !isObject(set)) return undefined;
  const { sessionId, startTime, kind, summary: firstSummary } = metadata;
  const {
    lastUpdated,
    messageCount,
    userMessageCount,
    hasUserOrAssistantMessage,
    firstUserMessage,
    summary,
  } = set;
  const isOurs =
    typeof sessionId === 'string' &&
    typeof startTime === 'string' &&
    typeof lastUpdated === 'string' &&
    typeof messageCount === 'number' &&
    typeof userMessageCount === 'number' &&
    typeof hasUserOrAssistantMessage === 'boolean' &&
    !('messages' in metadata);
  if (!isOurs) return undefined;
  const name = summary ?? firstSummary;
  return {
    sessionId,
    startTime,
    lastUpdated,
    kind: kind === 'subagent' ? 'subagent' : 'main',
    messageCount,
    userMessageCount,
    hasUserOrAssistantMessage,
    ...(typeof firstUserMessage === 'string' && { firstUserMessage }),
    ...(typeof name === 'string' && { summary: name }),
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const end = Buffer.allocUnsafe(END_BYTES);
const NEWLINE = 10;

/** The first and the last line, each empty when it is longer than what is read. */
function endsOf(path: string): Ends | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const headBytes = readSync(descriptor, end, 0, END_BYTES, 0);
    const firstEnd = end.subarray(0, headBytes).indexOf(NEWLINE);
    const first = end.toString('utf8', 0, Math.max(0, firstEnd));
    const tailBytes = readSync(descriptor, end, 0, END_BYTES, Math.max(0, stats.size - END_BYTES));
    const isEnded = end[tailBytes - 1] === NEWLINE;
    const lastStart = end.lastIndexOf(NEWLINE, tailBytes - 2) + 1;
    const last = isEnded && lastStart > 0 ? end.toString('utf8', lastStart, tailBytes - 1) : '';
    return { first, last, size: stats.size };
  } finally {
    closeSync(descriptor);
  }
}

function isNewer(a: SessionInfo, b: SessionInfo): boolean {
  const difference = compareTimes(a.lastUpdated, b.lastUpdated);
  if (difference !== 0) return difference > 0;
  // After a conversion both files exist: prefer the new format, else the one found first.
  return a.fileName.endsWith('.jsonl') && !b.fileName.endsWith('.jsonl');
}

function byStart(a: SessionInfo, b: SessionInfo): number {
  return (
    compareTimes(a.startTime, b.startTime) ||
    compareTimes(a.lastUpdated, b.lastUpdated) ||
    (a.fileName < b.fileName ? -1 : 1)
  );
}

const ISO_LENGTH = '2026-11-15T10:00:00.000Z'.length;

function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  // ISO times of the same length sort as text.
  if (a.length === ISO_LENGTH && b.length === ISO_LENGTH && a.endsWith('Z') && b.endsWith('Z'))
    return a < b ? -1 : 1;
  return (Date.parse(a) || 0) - (Date.parse(b) || 0);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const TITLE_CHARS = 100;

/** The display name as lists show it. */
export function titleOf({ displayName }: Pick<SessionInfo, 'displayName'>): string {
  return displayName.length > TITLE_CHARS ? `${displayName.slice(0, TITLE_CHARS - 3)}...` : displayName;
}

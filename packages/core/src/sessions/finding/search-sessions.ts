/** Full-text search over a project's sessions: first the files that contain the text, then snippets from them. */
import { readFileSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapeRegex } from '../../base/escape-regex.js';
import type { Variables } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import { locateRipgrep, runRipgrep } from '../../platform/process/ripgrep.js';
import type { MessageRecord } from '../../protocol/session-record.js';
import { isHidden, shownTextOf, textOfRecord } from '../reading/message-kinds.js';
import { withSession } from '../reading/read-session.js';
import { listSessions, type SessionInfo, type TextMatch } from './session-info.js';
import type { SessionPlaces } from './session-places.js';

const log = createLog('sessions');

export interface SearchOptions {
  currentSessionId?: string;
  /** Maximum number of sessions returned. */
  limit?: number;
  signal?: AbortSignal;
  /** The user's environment, to find ripgrep; without it files are read in this process. */
  variables?: Variables;
}

const DEFAULT_LIMIT = 50;
const MAX_SNIPPETS = 3;
const AROUND = 60;
/** Larger files are searched by ripgrep only. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Case-insensitive; newest session first. */
export async function searchSessions(
  query: string,
  places: SessionPlaces,
  options: SearchOptions = {},
): Promise<SessionInfo[]> {
  const words = query.trim();
  if (words === '') return [];
  const { currentSessionId, variables, limit = DEFAULT_LIMIT } = options;
  const { signal = new AbortController().signal } = options;
  const sessions = listSessions(places, { ...(currentSessionId !== undefined && { currentSessionId }) });
  const paths = sessions.map(({ path }) => path);
  // The text as JSON escapes it in a file.
  const written = JSON.stringify(words).slice(1, -1);
  const ripgrep = variables && locateRipgrep([], variables);
  const hits =
    (ripgrep && (await byRipgrep(ripgrep, written, places, signal))) ||
    (await byReading(written, paths, signal));
  const found: SessionInfo[] = [];
  const newestFirst = sessions
    .filter(({ path, summary = '' }) => hits.has(path) || includes(summary, words))
    .sort((a, b) => Date.parse(b.lastUpdated) - Date.parse(a.lastUpdated));
  for (const session of newestFirst) {
    if (found.length >= limit || signal.aborted) break;
    const matchSnippets = snippetsIn(session, words);
    if (matchSnippets.length > 0 || includes(session.summary ?? '', words))
      found.push({ ...session, matchSnippets });
    await nextTurn();
  }
  return found;
}

async function byRipgrep(
  binary: string,
  written: string,
  { chatsDir, readOnlyDirs }: SessionPlaces,
  signal: AbortSignal,
): Promise<Set<string> | undefined> {
  const directories = [chatsDir, ...readOnlyDirs].filter((path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (directories.length === 0) return new Set();
  const chunks: Buffer[] = [];
  const flags = [
    '--fixed-strings',
    '--ignore-case',
    '--files-with-matches',
    '--null',
    '--no-ignore',
    '--text',
    '--max-depth',
    '1',
  ];
  try {
    const { exitCode, endedBy } = await runRipgrep({
      binary,
      args: [...flags, '--regexp', written, '--', ...directories],
      cwd: directories[0] as string,
      signal,
      onOutput: (chunk) => chunks.push(chunk) > 0,
    });
    // Null: killed by a signal. Exit code 2 only means that some file could not be read; the matches are valid.
    if (endedBy === 'exit' && exitCode === null) return undefined;
  } catch (error) {
    log.warn('ripgrep failed', error);
    return undefined;
  }
  return new Set(Buffer.concat(chunks).toString('utf8').split('\0').filter(Boolean));
}

/** Without ripgrep: compares bytes ignoring case, which is exact for ASCII and approximate for other letters. */
async function byReading(
  written: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const bytes = Buffer.from(written).toString('latin1');
  const wanted = new RegExp(escapeRegex(bytes), 'i');
  const hits = new Set<string>();
  for (const path of paths) {
    if (signal.aborted) break;
    try {
      if (statSync(path).size > MAX_READ_BYTES) continue;
      if (wanted.test(readFileSync(path, 'latin1'))) hits.add(path);
    } catch (error) {
      log.debug('not searched', error);
    }
    await nextTurn();
  }
  return hits;
}

function snippetsIn({ path }: SessionInfo, words: string): TextMatch[] {
  const found: TextMatch[] = [];
  try {
    withSession(path, (reader) => {
      for (const entry of reader.index.entries) {
        if (found.length >= MAX_SNIPPETS) return;
        const record = reader.message(entry);
        const match = record && matchIn(record, words);
        if (match) found.push(match);
      }
    });
  } catch (error) {
    log.debug('not searched', error);
  }
  return found;
}

function matchIn(record: MessageRecord, words: string): TextMatch | undefined {
  if (record.type !== 'user' && record.type !== 'gemini') return undefined;
  if (isHidden(record, textOfRecord(record))) return undefined;
  const role = record.type === 'user' ? 'user' : 'assistant';
  for (const text of [shownTextOf(record), ...callTexts(record)]) {
    const at = indexIn(text, words);
    if (at < 0) continue;
    return {
      before: clean(text.slice(Math.max(0, at - AROUND), at)),
      match: text.slice(at, at + words.length),
      after: clean(text.slice(at + words.length, at + words.length + AROUND)),
      role,
    };
  }
  return undefined;
}

function callTexts({ toolCalls = [] }: MessageRecord): string[] {
  return toolCalls.flatMap(({ args, result }) => {
    const texts = Object.values(args).filter((value) => typeof value === 'string');
    for (const { functionResponse, text } of result ?? []) {
      if (text) texts.push(text);
      texts.push(
        ...Object.values(functionResponse?.response ?? {}).filter((value) => typeof value === 'string'),
      );
    }
    return texts;
  });
}

function includes(text: string, words: string): boolean {
  return indexIn(text, words) >= 0;
}

/** Some letters change length with their case; then only an exact match gives the right position. */
function indexIn(text: string, words: string): number {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower.indexOf(words.toLowerCase()) : text.indexOf(words);
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** One process, one measurement about stored sessions or context files. Bundled by session-rows.ts; prints JSON. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { MemoryContextManager } from '../packages/core/src/memory/context-files.js';
import { Redactor } from '../packages/core/src/platform/redaction/redact.js';
import { searchSessions } from '../packages/core/src/sessions/finding/search-sessions.js';
import { listSessions } from '../packages/core/src/sessions/finding/session-info.js';
import { ChatRecordingService } from '../packages/core/src/sessions/recording/chat-recording-service.js';
import { FileDiscoveryService } from '../packages/core/src/workspace/file-discovery.js';

const RECORDS = 2_000;
const RECORD_TEXT = 'a line of an answer with größeren Wörtern and 漢字 in it\n'.repeat(40);

const [, , what = '', folder = '', extra = ''] = process.argv;
const MEASUREMENTS: Record<string, () => Promise<object>> = { append, list, search, discovery };
void MEASUREMENTS[what]?.().then((numbers) => console.log(JSON.stringify(numbers)));

/** With secrets to mask, as in a session; single records and ends of turns. */
async function append(): Promise<object> {
  const redactor = new Redactor();
  redactor.addEnvironment({ SOME_API_KEY: 'not-in-any-of-the-records-9f8e7d' });
  const service = new ChatRecordingService({
    chatsDir: join(folder, 'chats'),
    sessionId: 'bench-session',
    projectHash: () => 'hash',
    now: Date.now,
    redact: (value) => redactor.redactValue(value),
    warn: (message) => {
      throw new Error(message);
    },
  });
  const times: number[] = [];
  for (let index = 0; index < RECORDS; index++) {
    times.push(timed(() => service.recordAnswer({ parts: [{ text: `${index} ${RECORD_TEXT}` }] })));
    if (index % 10 === 9) service.endTurn();
  }
  service.close();
  times.sort((a, b) => a - b);
  return { median: times[RECORDS / 2], p95: times[Math.floor(RECORDS * 0.95)], bytes: RECORD_TEXT.length };
}

async function list(): Promise<object> {
  const places = placesIn(folder);
  let count = 0;
  const ms = timed(() => {
    count = listSessions(places).length;
  });
  return { ms, count };
}

async function search(): Promise<object> {
  const started = performance.now();
  const found = await searchSessions(extra, placesIn(folder), { variables: process.env });
  return { ms: performance.now() - started, count: found.length };
}

async function discovery(): Promise<object> {
  const files = new FileDiscoveryService(folder, {
    respectGitIgnore: true,
    respectGeminiIgnore: true,
    customIgnoreFilePaths: [],
  });
  mkdirSync(extra, { recursive: true });
  const started = performance.now();
  const memory = new MemoryContextManager({
    settings: () => ({ maxDirs: 200, boundaryMarkers: ['.git'] }),
    home: homedir(),
    globalDir: extra,
    privateDir: join(extra, 'memory'),
    directories: () => [folder],
    isTrusted: () => true,
    isRefused: () => false,
    ignoresFile: (path) => files.shouldIgnoreFile(path, { respectGitIgnore: false }),
    ignoresFolder: (path) => files.shouldIgnoreDirectory(path),
    mask: (text) => text,
    notice: () => undefined,
  });
  const loaded = await memory.load();
  const start = performance.now() - started;
  const begun = performance.now();
  const later = await memory.forPaths([join(folder, 'part-7/folder-7/module-3.ts')]);
  return {
    ms: start,
    later: performance.now() - begun,
    files: loaded.files.length,
    found: later !== undefined,
  };
}

function placesIn(base: string) {
  return { chatsDir: join(base, 'chats'), readOnlyDirs: [join(base, 'old')], projectTempDir: base };
}

function timed(action: () => unknown): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}

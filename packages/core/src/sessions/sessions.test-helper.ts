/** For tests: a project with sessions in a temporary folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionPlaces } from './finding/session-places.js';
import { ChatRecordingService, type RecordingOptions } from './recording/chat-recording-service.js';
import type { SessionWriting } from './session-operations.js';

export interface TestSessions {
  base: string;
  places: SessionPlaces;
  writing: SessionWriting;
  warnings: string[];
  /** The clock; tests move it. */
  time: { now: number };
  service(options?: Partial<RecordingOptions>): ChatRecordingService;
  options(options?: Partial<RecordingOptions>): RecordingOptions;
  put(path: string, content: string | Buffer): string;
  cleanup(): void;
}

export const START = Date.parse('2026-11-15T10:00:00.000Z');

export function testSessions(): TestSessions {
  const base = mkdtempSync(join(tmpdir(), 'sessions-'));
  const places: SessionPlaces = {
    chatsDir: join(base, 'project/chats'),
    readOnlyDirs: [join(base, 'old')],
    projectTempDir: join(base, 'project'),
  };
  const warnings: string[] = [];
  const time = { now: START };
  const projectHash = () => 'hash-of-project';
  const now = () => time.now;
  const redact = <T>(value: T) => value;
  const options = (more: Partial<RecordingOptions> = {}): RecordingOptions => ({
    chatsDir: places.chatsDir,
    sessionId: '11111111-aaaa-4bbb-8ccc-000000000001',
    projectHash,
    now,
    redact,
    warn: (message) => warnings.push(message),
    ...more,
  });
  return {
    base,
    places,
    writing: { places, projectHash, now, redact },
    warnings,
    time,
    options,
    service: (more) => new ChatRecordingService(options(more)),
    put: (path, content) => {
      const file = join(base, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    cleanup: () => rmSync(base, { recursive: true, force: true }),
  };
}

export function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A random number generator that gives the same numbers in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

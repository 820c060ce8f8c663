import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SnapshotError } from './error.js';
import { newRecord } from './recorder.js';
import { asOrdinaryUser, type TestFolder, testFolder } from './snapshots.test-helper.js';
import { SnapshotStore } from './store.js';
import type { SnapshotRecord } from './types.js';

let temp: TestFolder;
let directory: string;
beforeEach(() => {
  temp = testFolder();
  directory = temp.storeDir;
});
afterEach(() => temp.cleanup());

const open = (maxBytes = 1_000_000) => new SnapshotStore({ directory, maxBytes });
const put = (store: SnapshotStore, text: string) => store.exclusive(() => store.put(Buffer.from(text)));
const get = (store: SnapshotStore, hash: string) => store.shared(() => store.get(hash).toString());
const logPath = () => join(directory, 'log');
const packPaths = () =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(directory, name));

/** A finished snapshot of one file with this content. */
function keep(store: SnapshotStore, text: string): SnapshotRecord {
  return store.exclusive(() => {
    const call = { callId: 'c', toolName: 'write_file', promptId: 'p' };
    const record = newRecord('tool', call, ['/w']);
    const hash = store.put(Buffer.from(text));
    const before = { kind: 'file' as const, hash, size: text.length, mode: 0o644, mtimeMs: 1, ino: 1 };
    record.changes.push({ path: '/w/file', before, after: null });
    store.append({ t: 'open', record }, { t: 'close', record });
    return record;
  });
}

describe('the snapshot store', () => {
  it('keeps each content once, and for the next process', () => {
    const hash = put(open(), 'hello');
    expect(put(open(), 'hello')).toBe(hash);
    expect(get(open(), hash)).toBe('hello');
    expect(packPaths().map((path) => statSync(path).size)).toEqual([5]);
  });

  it('stores empty and binary contents', () => {
    const store = open();
    const empty = put(store, '');
    expect(get(open(), empty)).toBe('');
    const bytes = Buffer.from([0, 255, 10, 13, 0]);
    const hash = store.exclusive(() => store.put(bytes));
    expect(open().shared(() => store.get(hash))).toEqual(bytes);
  });

  it('is private to the user', () => {
    put(open(), 'secret');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory)) {
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('sees what another process wrote meanwhile', () => {
    const [a, b] = [open(), open()];
    const first = put(a, 'one');
    const second = put(b, 'two');
    expect(get(a, second)).toBe('two');
    expect(get(b, first)).toBe('one');
  });

  it('writes nothing of a section that fails', () => {
    const store = open();
    const kept = put(store, 'kept');
    const failing = () =>
      store.exclusive(() => {
        store.put(Buffer.from('lost'));
        throw new SnapshotError('io', 'no');
      });
    expect(failing).toThrow('no');
    expect(get(store, kept)).toBe('kept');
    expect(get(store, put(store, 'lost'))).toBe('lost');
  });

  it('takes over the lock of a process that is gone', () => {
    const store = open();
    put(store, 'x');
    writeFileSync(`${logPath()}.lock`, `${lockOwner().replace(/^\d+/, '4194999')} aabbcc`);
    expect(get(store, put(store, 'y'))).toBe('y');
  });
});

describe('a torn end of the log', () => {
  it.each([1, 4, 7, 8, 20])('of %d bytes is dropped, and all before it is kept', (bytes) => {
    const first = put(open(), 'first');
    const whole = statSync(logPath()).size;
    put(open(), 'second');
    truncateSync(logPath(), whole + bytes);
    const store = open();
    expect(get(store, first)).toBe('first');
    expect(get(open(), put(store, 'third'))).toBe('third');
  });

  it('of zeros, as a power cut leaves it, is dropped', () => {
    const hash = put(open(), 'first');
    appendFileSync(logPath(), Buffer.alloc(100));
    expect(get(open(), hash)).toBe('first');
    expect(get(open(), put(open(), 'next'))).toBe('next');
  });
});

describe('damage', () => {
  it.each([0, 3, 9, 14, 30])('of the log at byte %d is reported, and nothing is deleted', (offset) => {
    const store = open();
    for (let number = 0; number < 5; number++) keep(store, `content ${number}`);
    const bytes = readFileSync(logPath());
    bytes[offset] = (bytes[offset] as number) ^ 0xff;
    writeFileSync(logPath(), bytes);
    const reason = reasonOf(() => put(open(), 'more'));
    expect(reason).toBe('corrupt');
    expect(readFileSync(logPath())).toEqual(bytes);
  });

  it('of a content is found when it is read, and the content can be stored again', () => {
    const hash = put(open(), 'content');
    writeFileSync(packPaths()[0] as string, 'cXntent');
    const store = open();
    expect(reasonOf(() => get(store, hash))).toBe('corrupt');
    put(store, 'content');
    expect(get(open(), hash)).toBe('content');
  });

  it('of a pack that is missing or too short is found', () => {
    const hash = put(open(), 'content');
    truncateSync(packPaths()[0] as string, 3);
    expect(reasonOf(() => get(open(), hash))).toBe('corrupt');
  });
});

describe('the size limit of the store', () => {
  it('drops the oldest snapshots with their contents, and keeps the newest', () => {
    const store = open(40_000);
    const records = Array.from({ length: 12 }, (_, number) => keep(store, `${number}`.repeat(6_000)));
    const left = open(40_000).shared(() => store.ledger.list().map(({ id }) => id));
    expect(left.length).toBeLessThan(12);
    expect(left).toEqual(records.slice(-left.length).map(({ id }) => id));
    const bytes = [...packPaths(), logPath()].reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeLessThanOrEqual(40_000);
    const hash = hashIn(records.at(-1));
    expect(get(open(40_000), hash)).toBe('11'.repeat(6_000));
  });

  it('refuses a content that is too large, and loses nothing', () => {
    const store = open(10_000);
    const record = keep(store, 'small');
    expect(reasonOf(() => put(store, 'x'.repeat(20_000)))).toBe('full');
    expect(open(10_000).shared(() => store.ledger.list().map(({ id }) => id))).toEqual([record.id]);
  });

  it('keeps what an open call may still need', () => {
    const store = open(40_000);
    const record = store.exclusive(() => {
      const opened = newRecord('tool', { callId: 'c', toolName: 'replace', promptId: 'p' }, ['/w']);
      const hash = store.put(Buffer.from('needed'.repeat(1000)));
      const before = { kind: 'file' as const, hash, size: 6000, mode: 0o644, mtimeMs: 1, ino: 1 };
      opened.changes.push({ path: '/w/open', before, after: before });
      store.append({ t: 'open', record: opened });
      return opened;
    });
    for (let number = 0; number < 12; number++) keep(store, `${number}`.repeat(5_000));
    const hash = hashIn(record);
    expect(get(open(40_000), hash)).toBe('needed'.repeat(1000));
    expect(open(40_000).shared(() => store.ledger.open.has(record.id))).toBe(true);
  });
});

describe('a store that cannot be written', () => {
  it('fails with the reason, and can still be read', () => {
    const hash = put(open(), 'content');
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o444);
    chmodSync(directory, 0o555);
    chmodSync(temp.base, 0o755);
    asOrdinaryUser(() => {
      expect(reasonOf(() => put(open(), 'more'))).toBe('unwritable');
      expect(get(open(), hash)).toBe('content');
    });
    chmodSync(directory, 0o755);
  });

  it('has a file as its folder', () => {
    writeFileSync(directory, '');
    expect(() => put(open(), 'x')).toThrow(SnapshotError);
  });
});

function hashIn(record: SnapshotRecord | undefined): string {
  const before = record?.changes[0]?.before;
  return (before?.kind === 'file' && before.hash) || 'none';
}

function reasonOf(work: () => unknown): string {
  try {
    work();
    return 'nothing happened';
  } catch (error) {
    return error instanceof SnapshotError ? error.reason : String(error);
  }
}

/** As the lock itself names this process. */
function lockOwner(): string {
  const store = open();
  return store.exclusive(() => readFileSync(`${logPath()}.lock`, 'utf8')).replace(/ [0-9a-f]+$/, '');
}

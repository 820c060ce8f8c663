import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileMemory, type FileMemoryOptions } from './file-memory.js';

let dir: string;
let store: string;
let source: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'file-memory-')));
  store = join(dir, 'tmp', 'known.json');
  source = join(dir, 'source.txt');
  writeFileSync(source, 'first');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A start of the program, long after the last change of a file. */
function start(more: Partial<FileMemoryOptions> = {}): FileMemory {
  return new FileMemory({ file: store, program: '1', now: () => Date.now() + 60_000, ...more });
}

/** What a reader does; the answer says whether the file was read for it. */
function read(memory: FileMemory, path = source): { text: string; isRemembered: boolean } {
  const known = memory.recall<string>('text', path);
  if (known !== undefined) return { text: known, isRemembered: true };
  const lesson = memory.lesson('text', path);
  lesson.look(path);
  const text = readFileSync(path, 'utf8');
  lesson.learn(text);
  return { text, isRemembered: false };
}

function learn(more: Partial<FileMemoryOptions> = {}): void {
  const memory = start(more);
  read(memory);
  memory.keep();
}

describe('what was derived from a file', () => {
  it('is known at the next start, and the file is private', () => {
    learn();
    expect(read(start())).toEqual({ text: 'first', isRemembered: true });
    expect(statSync(store).mode & 0o777).toBe(0o600);
  });

  it('is not known any more when the file has changed, also with the same size and its old time', () => {
    const { atime, mtime } = statSync(source);
    learn();
    writeFileSync(source, 'other');
    utimesSync(source, atime, mtime);
    expect(read(start())).toEqual({ text: 'other', isRemembered: false });
  });

  it('is not known any more when another file with the same content takes its place', () => {
    learn();
    writeFileSync(join(dir, 'new'), 'first');
    renameSync(join(dir, 'new'), source);
    expect(read(start()).isRemembered).toBe(false);
  });

  it('is not known any more when the link leads to another file, or that file changes', () => {
    const [link, other] = [join(dir, 'link'), join(dir, 'other')];
    writeFileSync(other, 'other');
    symlinkSync(source, link);
    const memory = start();
    read(memory, link);
    memory.keep();
    expect(read(start(), link).isRemembered).toBe(true);
    rmSync(link);
    symlinkSync(other, link);
    const changed = start();
    expect(read(changed, link)).toEqual({ text: 'other', isRemembered: false });
    changed.keep();
    writeFileSync(other, 'again');
    expect(read(start(), link)).toEqual({ text: 'again', isRemembered: false });
  });

  it('is not learnt right after a change: the next one may leave the same times', () => {
    learn({ now: () => Math.floor(statSync(source).ctimeMs) + 10 });
    expect(read(start()).isRemembered).toBe(false);
  });

  it('is learnt although its time was set to a whole second: the time of the change tells', () => {
    utimesSync(source, 1_000_000_000, 1_000_000_000);
    learn({ now: () => Math.floor(statSync(source).ctimeMs) + 60 });
    expect(read(start()).isRemembered).toBe(true);
  });

  it('is looked at again by who asks twice in one run', () => {
    learn();
    const memory = start();
    expect(read(memory).text).toBe('first');
    writeFileSync(source, 'later');
    expect(read(memory)).toEqual({ text: 'later', isRemembered: false });
  });

  it('holds what is not there, too', () => {
    const missing = join(dir, 'missing');
    const memory = start();
    expect(memory.recall('text', source)).toBeUndefined();
    const lesson = memory.lesson('text', source);
    lesson.look(missing);
    lesson.learn('nothing');
    memory.keep();
    expect(start().recall('text', source)).toBe('nothing');
    writeFileSync(missing, '');
    expect(start().recall('text', source)).toBeUndefined();
  });

  it.each([[new Date()], [{ at: Number.NaN }], [[-0]], [() => 1]])(
    'is not learnt if JSON would change it: %s',
    (value) => {
      const memory = start();
      memory.recall('value', source);
      memory.lesson('value', source).learn(value);
      memory.keep();
      expect(start().recall('value', source)).toBeUndefined();
    },
  );

  it('is the reader’s own', () => {
    const memory = start();
    memory.recall('list', source);
    memory.lesson('list', source).learn(['a']);
    memory.keep();
    start().recall<string[]>('list', source)?.push('b');
    const again = start();
    again.recall<string[]>('list', source)?.push('b');
    expect(again.recall('list', source)).toEqual(['a']);
  });
});

describe('the file of what is known', () => {
  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 7)],
    ['changed in one place', (bytes: Buffer) => Buffer.from(bytes.toString().replace('first', 'wrong'))],
    ['empty', () => Buffer.alloc(0)],
    ['full of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['no list of entries', () => Buffer.from('[1][1]')],
  ])('is ignored and written anew when it is %s', (_, damage) => {
    learn();
    writeFileSync(store, damage(readFileSync(store)));
    expect(read(start())).toEqual({ text: 'first', isRemembered: false });
    learn();
    expect(read(start()).isRemembered).toBe(true);
  });

  it('is ignored when another version has written it', () => {
    learn();
    expect(read(start({ program: '2' })).isRemembered).toBe(false);
  });

  it.runIf(process.getuid !== undefined)('is ignored when others may write it', () => {
    learn();
    for (const mode of [0o620, 0o602]) {
      chmodSync(store, mode);
      expect(read(start()).isRemembered).toBe(false);
    }
    chmodSync(store, 0o600);
    expect(read(start()).isRemembered).toBe(true);
  });

  it('is ignored when it is a link or a folder', () => {
    learn();
    renameSync(store, `${store}.real`);
    symlinkSync(`${store}.real`, store);
    expect(read(start()).isRemembered).toBe(false);
    rmSync(store);
    mkdirSync(store);
    expect(read(start()).isRemembered).toBe(false);
    learn();
  });

  it('is replaced as a whole by each of two starts at once', () => {
    const [one, two] = [start(), start()];
    read(one);
    read(two);
    one.keep();
    two.keep();
    expect(read(start()).isRemembered).toBe(true);
    expect(readdirSync(join(dir, 'tmp'))).toEqual(['known.json']);
  });

  it('is not written when nothing is new, nor without a home folder', () => {
    learn();
    const { mtimeNs } = statSync(store, { bigint: true });
    learn();
    expect(statSync(store, { bigint: true }).mtimeNs).toBe(mtimeNs);
    const gone = join(dir, 'gone', 'tmp', 'known.json');
    learn({ file: gone });
    expect(readdirSync(dir)).not.toContain('gone');
  });

  it('costs nothing but time when it cannot be written', () => {
    learn({ file: join(source, 'known.json') });
    expect(readFileSync(source, 'utf8')).toBe('first');
  });

  it('forgets what belongs to a path that is gone', () => {
    learn();
    rmSync(source);
    const other = join(dir, 'other');
    writeFileSync(other, '');
    const memory = start();
    read(memory, other);
    memory.keep();
    expect(readFileSync(store, 'utf8')).not.toContain('source.txt');
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Storage } from '../../platform/storage/storage.js';
import { projectHashOf } from './project-hash.js';
import { sessionPlaces } from './session-places.js';

describe('sessions', () => {
  let home: string;
  let storage: Storage;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'places-'));
    storage = new Storage({
      globalDir: join(home, '.gemini'),
      projectRoot: '/project/thing',
      projectId: 'thing',
    });
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  const seedDir = () => join(home, '.gemini/projects', projectHashOf('/project/thing'), 'chats');

  it('are stored in the home directory, and read from the older place', () => {
    expect(sessionPlaces(storage)).toEqual({
      chatsDir: join(home, '.gemini/tmp/thing/chats'),
      readOnlyDirs: [seedDir()],
      projectTempDir: join(home, '.gemini/tmp/thing'),
    });
  });

  it('are stored in the configured folder, and read there in the flat layout when the user owns it', () => {
    expect(sessionPlaces(storage, home)).toMatchObject({
      chatsDir: join(home, 'thing/chats'),
      readOnlyDirs: [seedDir(), home],
    });
    expect(sessionPlaces(storage, '~/kept', '/home/ada').chatsDir).toBe('/home/ada/kept/thing/chats');
    expect(sessionPlaces(storage, join(home, 'none')).readOnlyDirs).toEqual([seedDir()]);
    expect(sessionPlaces(storage, 'relative').chatsDir).toBe(join(home, '.gemini/tmp/thing/chats'));
  });

  it('name their project by the SHA-256 of its root', () => {
    expect(projectHashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsHome } from '../settings-home.test-helper.js';
import { readSettingsText } from './read-file.js';

let dir: ReturnType<typeof tempDir>;
let path: string;
beforeEach(() => {
  dir = tempDir();
  path = join(dir.path, 'settings.json');
});
afterEach(() => dir.cleanup());

describe('readSettingsText', () => {
  it('returns the text without its byte order mark', () => {
    writeFileSync(path, '\ufeff{"a": "ü"}');
    expect(readSettingsText(path)).toMatchObject({
      exists: true,
      text: '{"a": "ü"}',
      hasMark: true,
      isUtf8: true,
    });
  });

  it('treats a missing file, a dangling link and a path through a file as absent', () => {
    symlinkSync(join(dir.path, 'nowhere'), path);
    writeFileSync(join(dir.path, 'plain'), '');
    for (const name of [join(dir.path, 'none'), path, join(dir.path, 'plain', 'settings.json')]) {
      expect(readSettingsText(name)).toMatchObject({ exists: false, text: '' });
    }
  });

  it('reports a missing permission, which root never lacks', () => {
    writeFileSync(path, '{}');
    chmodSync(path, 0);
    const expected = process.getuid?.() === 0 ? undefined : 'no permission to read it.';
    expect(readSettingsText(path).failure).toBe(expected);
  });

  it('recognises bytes that are not UTF-8', () => {
    writeFileSync(path, Buffer.from('{"a": "\xfc"}', 'latin1'));
    expect(readSettingsText(path)).toMatchObject({ exists: true, isUtf8: false });
  });
});

describe('loading settings', () => {
  it('accepts an empty file, and ends the program with the name of an unreadable one', () => {
    const place = settingsHome();
    try {
      place.put('user', '  \n');
      expect(place.load().problems).toEqual([]);
      const system = place.put('system', Buffer.from([0, 1]).toString('latin1'));
      expect(() => place.load()).toThrow(
        `Error in ${system}: this is a binary file, not JSON.\nPlease correct the file and try again.`,
      );
    } finally {
      place.cleanup();
    }
  });

  it('treats a missing home directory as empty', () => {
    const place = settingsHome();
    try {
      expect(place.load({ env: { GEMINI_CLI_HOME: '/nonexistent/home' } }).merged).toEqual({});
    } finally {
      place.cleanup();
    }
  });
});

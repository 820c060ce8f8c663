import { expect, it } from 'vitest';
import { fileOperations } from './file-operations.js';

const diff = { fileDiff: '', fileName: '', originalContent: null };

it('lists the files that a reading tool read', () => {
  expect(fileOperations('read_file', { file_path: 'img/a.PNG' }, '')).toEqual([
    { operation: 'read', mimetype: 'image/png', extension: '.png' },
  ]);
  expect(fileOperations('read_file', { file_path: 7 }, '')).toEqual([]);
  const display = { summary: '', files: ['Makefile', 'src/x.rs'] };
  expect(fileOperations('read_many_files', {}, display)).toEqual([
    { operation: 'read', programming_language: 'Makefile' },
    { operation: 'read', extension: '.rs', programming_language: 'Rust' },
  ]);
  expect(fileOperations('read_many_files', {}, 'nothing')).toEqual([]);
});

it.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n', 1],
])('counts the lines of %j', (newContent, lines) => {
  const display = { ...diff, filePath: '/w/x.constructor', newContent };
  expect(fileOperations('replace', {}, display)).toEqual([
    { operation: 'update', lines, extension: '.constructor' },
  ]);
});

it('lists nothing for other tools and other results', () => {
  expect(fileOperations('run_shell_command', { command: 'x' }, 'y')).toEqual([]);
  expect(fileOperations('write_file', {}, 'failed')).toEqual([]);
  expect(fileOperations('write_file', {}, undefined)).toEqual([]);
});

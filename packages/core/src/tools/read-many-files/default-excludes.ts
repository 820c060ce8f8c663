/** What `read_many_files` leaves out unless told otherwise. */
import { ARCHIVE_AND_OFFICE_SUFFIXES } from '../../platform/files/file-type.js';
import { ALWAYS_SKIPPED } from '../../workspace/file-discovery.js';

const DIRECTORIES = ['.vscode', '.idea', 'dist', 'build', 'coverage', '__pycache__'];

export const DEFAULT_EXCLUDES: readonly string[] = [
  ...ALWAYS_SKIPPED,
  ...DIRECTORIES.map((name) => `**/${name}/**`),
  ...[...ARCHIVE_AND_OFFICE_SUFFIXES, 'pyc', 'pyo'].map((suffix) => `**/*.${suffix}`),
  '**/.DS_Store',
  '**/.env',
  '**/GEMINI.md',
];

/** Settings `context.*`: context files, workspace directories, which files are seen. */
import { off, on, type SettingsSection } from './definition.js';

export const CONTEXT = {
  fileName: {
    kind: ['string', 'array'],
    default: 'GEMINI.md',
    description: 'Name of the context files, or several names.',
  },
  importFormat: {
    kind: 'enum',
    values: ['tree', 'flat'],
    description: 'How imported context files are put together.',
    parameter: 'memory.importFormat',
    live: true,
  },
  includeDirectoryTree: on('Tell the model the directory tree at the start.', {
    dialog: true,
    parameter: 'includeDirectoryTree',
  }),
  discoveryMaxDirs: {
    kind: 'number',
    default: 200,
    minimum: 0,
    description: 'Most directories searched for context files.',
    dialog: true,
    parameter: 'memory.maxDirs',
    live: true,
  },
  memoryBoundaryMarkers: {
    kind: 'array',
    default: ['.git'],
    restart: true,
    description:
      'The search for context files upwards ends at a folder that holds one of these; []: no parents.',
    parameter: 'memory.boundaryMarkers',
    live: true,
  },
  includeDirectories: {
    kind: 'array',
    default: [],
    merge: 'concat',
    description: 'Further workspace directories. A missing one is reported and ignored.',
    parameter: 'includeDirectories',
    live: true,
  },
  loadMemoryFromIncludeDirectories: off(
    '/memory reload reads context files of the further directories too.',
    { dialog: true, parameter: 'memory.loadFromIncludeDirectories', live: true },
  ),
  fileFiltering: {
    kind: 'object',
    description: 'Which files are found.',
    parameter: 'fileFiltering',
    live: true,
    properties: {
      respectGitIgnore: on('Honour .gitignore.', { restart: true, dialog: true }),
      respectGeminiIgnore: on('Honour .geminiignore.', { restart: true, dialog: true }),
      enableFileWatcher: off('Suggestions after @ follow changes on disk within a second, else within 20.', {
        restart: true,
        dialog: true,
      }),
      enableRecursiveFileSearch: on('Look into subfolders when completing or resolving @.', {
        restart: true,
        dialog: true,
      }),
      enableFuzzySearch: on('Suggestions after @ need not match letter by letter.', {
        restart: true,
        dialog: true,
      }),
      maxFileCount: {
        kind: 'number',
        default: 20_000,
        minimum: 1,
        restart: true,
        description: 'Most files indexed for suggestions after @.',
      },
      searchTimeout: {
        kind: 'number',
        default: 5000,
        minimum: 0,
        description:
          'Milliseconds a search after @ may take; a larger value also raises the limit of grep_search.',
      },
      customIgnoreFilePaths: {
        kind: 'array',
        default: [],
        merge: 'union',
        restart: true,
        description: 'Further ignore files. They win over .geminiignore and .gitignore; earlier ones win.',
      },
    },
  },
} as const satisfies SettingsSection;

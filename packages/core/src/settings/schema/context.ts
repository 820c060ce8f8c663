/** Settings `context.*`: context files, workspace directories, which files are seen. */
import type { SettingsSection } from './definition.js';

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
  },
  includeDirectoryTree: {
    kind: 'boolean',
    default: true,
    description: 'Tell the model the directory tree at the start.',
    dialog: true,
  },
  discoveryMaxDirs: {
    kind: 'number',
    default: 200,
    minimum: 0,
    description: 'Most directories searched for context files.',
    dialog: true,
  },
  memoryBoundaryMarkers: {
    kind: 'array',
    default: ['.git'],
    restart: true,
    description:
      'The search for context files upwards ends at a folder that holds one of these; []: no parents.',
  },
  includeDirectories: {
    kind: 'array',
    default: [],
    merge: 'concat',
    description: 'Further workspace directories. One that is missing is named and left out.',
  },
  loadMemoryFromIncludeDirectories: {
    kind: 'boolean',
    default: false,
    description: '/memory reload reads context files of the further directories too.',
    dialog: true,
  },
  fileFiltering: {
    kind: 'object',
    description: 'Which files are found.',
    properties: {
      respectGitIgnore: {
        kind: 'boolean',
        default: true,
        restart: true,
        description: 'Honour .gitignore.',
        dialog: true,
      },
      respectGeminiIgnore: {
        kind: 'boolean',
        default: true,
        restart: true,
        description: 'Honour .geminiignore.',
        dialog: true,
      },
      enableFileWatcher: {
        kind: 'boolean',
        default: false,
        restart: true,
        description: 'Suggestions after @ follow changes on disk.',
        dialog: true,
      },
      enableRecursiveFileSearch: {
        kind: 'boolean',
        default: true,
        restart: true,
        description: 'Look into subfolders when completing or resolving @.',
        dialog: true,
      },
      enableFuzzySearch: {
        kind: 'boolean',
        default: true,
        restart: true,
        description: 'Suggestions after @ need not match letter by letter.',
        dialog: true,
      },
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

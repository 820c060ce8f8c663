/** Settings `general.*`: editor, approval, updates, checkpoints, plans, network, sessions. */
import { group, off, on, type SettingsSection } from './definition.js';

const EDITORS = [
  'vscode',
  'vscodium',
  'windsurf',
  'cursor',
  'zed',
  'antigravity',
  'sublimetext',
  'lapce',
  'nova',
  'bbedit',
  'vim',
  'neovim',
  'emacs',
  'hx',
  'emacsclient',
  'micro',
] as const;

/** A number of hours, days, weeks or months. */
const AGE = '^[1-9]\\d*[hdwm]$';

export const GENERAL = {
  preferredEditor: {
    kind: 'enum',
    values: EDITORS,
    description: 'Editor in which files are opened. Unset: the one named by VISUAL or EDITOR.',
    dialog: true,
  },
  openEditorInNewWindow: off('Editors of the VS Code family open a window of their own.', { dialog: true }),
  vimMode: off('Vim keys in the prompt.', { dialog: true }),
  defaultApprovalMode: {
    kind: 'enum',
    values: ['default', 'auto_edit', 'plan'],
    default: 'default',
    description:
      'Mode a session starts in: ask before changes, accept edits, or plan only. Yolo is available by flag alone.',
    dialog: true,
  },
  devtools: off('Start the inspector together with the program.', {
    ignored: 'there is no such inspector; F12 lists errors, NODE_OPTIONS=--inspect starts that of Node',
  }),
  enableAutoUpdate: on('The program updates itself.', { dialog: true }),
  enableAutoUpdateNotification: on('Tell when a newer version exists.', { dialog: true }),
  enableNotifications: off('The terminal notifies you when an answer is needed or the work is done.', {
    dialog: true,
  }),
  notificationMethod: {
    kind: 'enum',
    values: ['auto', 'osc9', 'osc777', 'bell'],
    default: 'auto',
    description: 'How the terminal is asked to notify.',
    dialog: true,
  },
  checkpointing: group('Restoring an earlier state of files and conversation.', {
    enabled: off('Save files and conversation before each change, for /restore.', {
      restart: true,
      dialog: true,
      parameter: 'checkpointing',
    }),
    undo: on('Keep copies of changed files, for /undo and "gemini undo".', {
      dialog: true,
      parameter: 'undo.enabled',
    }),
    maxBytes: {
      kind: 'number',
      default: 1_073_741_824,
      minimum: 0,
      description: 'Most bytes these copies may take per project; the oldest go first.',
      parameter: 'undo.maxBytes',
    },
  }),
  plan: group('Plan mode.', {
    enabled: on('Plan mode can be used.', { restart: true, dialog: true, parameter: 'planEnabled' }),
    directory: {
      kind: 'string',
      restart: true,
      description:
        'Folder for plans. Unset: temporary files of the project. A folder of your own needs a rule that allows writing there.',
      parameter: 'plansDirectory',
    },
    modelRouting: on('A pro model while planning, a flash model while carrying out.', {
      dialog: true,
      parameter: 'models.planModelRouting',
    }),
  }),
  proxy: {
    kind: 'string',
    description:
      'URL of a proxy for our own requests; commands do not get it. HTTPS_PROXY and HTTP_PROXY win over it; NO_PROXY is honoured.',
  },
  retryFetchErrors: on('Retry when the network fails.', { dialog: true, parameter: 'retryNetworkErrors' }),
  maxAttempts: {
    kind: 'number',
    default: 10,
    minimum: 1,
    maximum: 10,
    description: 'Attempts per request to the main model.',
    dialog: true,
    parameter: 'maxAttempts',
  },
  debugKeystrokeLogging: off('Write each key to the debug log, the file that GEMINI_DEBUG_LOG_FILE names.'),
  sessionRetention: {
    kind: 'object',
    description: 'Deleting old sessions.',
    parameter: 'sessionRetention',
    properties: {
      enabled: on('Delete old sessions.', { dialog: true }),
      maxAge: {
        kind: 'string',
        pattern: AGE,
        default: '30d',
        description: 'Sessions older than this are deleted: a number with h, d, w or m (months).',
        dialog: true,
      },
      maxCount: {
        kind: 'number',
        minimum: 1,
        description: 'Only so many of the newest sessions are kept.',
        dialog: true,
      },
      minRetention: {
        kind: 'string',
        pattern: AGE,
        default: '1d',
        description: 'Younger sessions are never deleted.',
      },
    },
  },
  sessionStorageDir: {
    kind: 'string',
    from: 'user_and_system',
    description: 'Folder for sessions and checkpoints in place of ~/.gemini/tmp.',
  },
  maxSessions: {
    kind: 'number',
    default: 50,
    minimum: 1,
    description:
      'Set: as sessionRetention.maxCount, which wins over it. Unset: nothing is deleted; the browser shows 50 first.',
  },
  autoSaveInterval: {
    kind: 'number',
    default: 30_000,
    minimum: 0,
    description: 'Milliseconds after which a session is on disk at the latest.',
    ignored: 'each message is written at once',
  },
  sessionId: { kind: 'string', description: 'Session to resume when no flag names one.' },
  topicUpdateNarration: on('The model reports topic and progress of its work.', {
    dialog: true,
    parameter: 'topicNarration',
    live: true,
  }),
  logRagSnippets: off('Write retrieved snippets to the local log.', {
    ignored: 'the program retrieves no snippets',
  }),
} as const satisfies SettingsSection;

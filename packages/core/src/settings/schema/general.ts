/** Settings `general.*`: editor, approval, updates, checkpoints, plans, network, sessions. */
import type { SettingsSection } from './definition.js';

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
  openEditorInNewWindow: {
    kind: 'boolean',
    default: false,
    description: 'Editors of the VS Code family open a window of their own.',
    dialog: true,
  },
  vimMode: { kind: 'boolean', default: false, description: 'Vim keys in the prompt.', dialog: true },
  defaultApprovalMode: {
    kind: 'enum',
    values: ['default', 'auto_edit', 'plan'],
    default: 'default',
    description:
      'Mode a session starts in: ask before changes, accept edits, or plan only. Yolo is available by flag alone.',
    dialog: true,
  },
  devtools: {
    kind: 'boolean',
    default: false,
    description: 'Start the inspector together with the program.',
    pending: true,
  },
  enableAutoUpdate: {
    kind: 'boolean',
    default: true,
    description: 'The program updates itself.',
    dialog: true,
  },
  enableAutoUpdateNotification: {
    kind: 'boolean',
    default: true,
    description: 'Tell when a newer version exists.',
    dialog: true,
  },
  enableNotifications: {
    kind: 'boolean',
    default: false,
    description: 'The terminal notifies you when an answer is needed or the work is done.',
    dialog: true,
  },
  notificationMethod: {
    kind: 'enum',
    values: ['auto', 'osc9', 'osc777', 'bell'],
    default: 'auto',
    description: 'How the terminal is asked to notify.',
    dialog: true,
  },
  checkpointing: {
    kind: 'object',
    description: 'Restoring an earlier state of files and conversation.',
    properties: {
      enabled: {
        kind: 'boolean',
        default: false,
        restart: true,
        description: 'Save files and conversation before each change, for /restore.',
        dialog: true,
        parameter: 'checkpointing',
      },
      undo: {
        kind: 'boolean',
        default: true,
        description: 'Keep copies of changed files, for /undo and "gemini undo".',
        dialog: true,
        parameter: 'undo.enabled',
      },
      maxBytes: {
        kind: 'number',
        default: 1_073_741_824,
        minimum: 0,
        description: 'Most bytes these copies may take per project; the oldest go first.',
        parameter: 'undo.maxBytes',
      },
    },
  },
  plan: {
    kind: 'object',
    description: 'Plan mode.',
    properties: {
      enabled: {
        kind: 'boolean',
        default: true,
        restart: true,
        description: 'Plan mode can be used.',
        dialog: true,
        parameter: 'planEnabled',
      },
      directory: {
        kind: 'string',
        restart: true,
        description:
          'Folder for plans. Unset: temporary files of the project. A folder of your own needs a rule that allows writing there.',
        parameter: 'plansDirectory',
      },
      modelRouting: {
        kind: 'boolean',
        default: true,
        description: 'A pro model while planning, a flash model while carrying out.',
        dialog: true,
        parameter: 'models.planModelRouting',
      },
    },
  },
  proxy: {
    kind: 'string',
    description: 'URL of a proxy. HTTPS_PROXY and HTTP_PROXY win over it; NO_PROXY is honoured.',
    pending: true,
  },
  retryFetchErrors: {
    kind: 'boolean',
    default: true,
    description: 'Retry when the network fails.',
    dialog: true,
    parameter: 'retryNetworkErrors',
  },
  maxAttempts: {
    kind: 'number',
    default: 10,
    minimum: 1,
    maximum: 10,
    description: 'Attempts per request to the main model.',
    dialog: true,
    parameter: 'maxAttempts',
  },
  debugKeystrokeLogging: {
    kind: 'boolean',
    default: false,
    description: 'Write each key to the debug log.',
    pending: true,
  },
  sessionRetention: {
    kind: 'object',
    description: 'Deleting old sessions.',
    parameter: 'sessionRetention',
    properties: {
      enabled: { kind: 'boolean', default: true, description: 'Delete old sessions.', dialog: true },
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
    description:
      'Milliseconds after which a session is on disk at the latest. Messages are appended at once.',
    pending: true,
  },
  sessionId: { kind: 'string', description: 'Session to resume when no flag names one.', pending: true },
  topicUpdateNarration: {
    kind: 'boolean',
    default: true,
    description: 'The model reports topic and progress of its work.',
    dialog: true,
    pending: true,
  },
  logRagSnippets: {
    kind: 'boolean',
    default: false,
    description: 'Write retrieved snippets to the local log.',
    pending: true,
  },
} as const satisfies SettingsSection;

/** Settings `security.*`. */
import type { SettingsSection } from './definition.js';

const AUTH_TYPES = [
  'oauth-personal',
  'vertex-ai',
  'gateway',
  'gemini-api-key',
  'compute-default-credentials',
  'cloud-shell',
] as const;

export const SECURITY = {
  toolSandboxing: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'Run each tool in a sandbox of its own.',
    dialog: true,
    parameter: 'toolSandboxing',
    live: true,
  },
  disableYoloMode: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'Refuse yolo mode, also by flag.',
    dialog: true,
    parameter: 'disableYoloMode',
    live: true,
  },
  disableAlwaysAllow: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'Questions have no "always allow".',
    dialog: true,
    parameter: 'disableAlwaysAllow',
    live: true,
  },
  enablePermanentToolApproval: {
    kind: 'boolean',
    default: false,
    description: 'Questions offer "for all future sessions".',
    dialog: true,
    parameter: 'approvals.allowsSaving',
  },
  autoAddToPolicyByDefault: {
    kind: 'boolean',
    default: false,
    description: 'Preselect that answer for tools of low risk.',
    dialog: true,
    parameter: 'approvals.suggestsSaving',
  },
  blockGitExtensions: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'No extensions from git repositories.',
    dialog: true,
    pending: true,
  },
  allowedExtensions: {
    kind: 'array',
    default: [],
    restart: true,
    description: 'Regular expressions; if there are any, only extensions from matching sources.',
    pending: true,
  },
  folderTrust: {
    kind: 'object',
    description: 'Folder trust.',
    properties: {
      enabled: {
        kind: 'boolean',
        default: true,
        restart: true,
        from: 'user_and_system',
        description: 'What a folder brings along takes effect only once you trust the folder.',
        dialog: true,
      },
    },
  },
  environmentVariableRedaction: {
    kind: 'object',
    description: 'Which environment variables commands, hooks and MCP servers get.',
    parameter: 'environmentRedaction',
    live: true,
    properties: {
      enabled: {
        kind: 'boolean',
        default: false,
        restart: true,
        description: 'Keep variables that look secret from them.',
        dialog: true,
      },
      allowed: { kind: 'array', default: [], restart: true, description: 'Variables they always get.' },
      blocked: { kind: 'array', default: [], restart: true, description: 'Variables they never get.' },
    },
  },
  maskSecretsForModel: {
    kind: 'boolean',
    default: true,
    description:
      'Mask secrets in tool output before the model sees it. Disk, logs and screen stay masked in any case.',
    dialog: true,
    parameter: 'maskSecretsForModel',
    live: true,
  },
  auth: {
    kind: 'object',
    description: 'Sign-in.',
    parameter: 'auth',
    properties: {
      selectedType: {
        kind: 'enum',
        values: AUTH_TYPES,
        restart: true,
        description: 'How you sign in.',
      },
      enforcedType: {
        kind: 'enum',
        values: AUTH_TYPES,
        restart: true,
        description: 'The only way to sign in; any other ends with exit code 41.',
      },
      useExternal: {
        kind: 'boolean',
        restart: true,
        description: 'Do not check the sign-in locally.',
        pending: true,
      },
    },
  },
  enableConseca: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'A model writes a policy for each prompt and judges each tool call by it.',
    dialog: true,
    parameter: 'enableConseca',
    live: true,
  },
} as const satisfies SettingsSection;

/** Settings `security.*`. */
import { group, off, on, type SettingsSection } from './definition.js';

const AUTH_TYPES = [
  'oauth-personal',
  'vertex-ai',
  'gateway',
  'gemini-api-key',
  'compute-default-credentials',
  'cloud-shell',
] as const;

export const SECURITY = {
  toolSandboxing: off('Run each command, file write and search in a sandbox of its own.', {
    strict: true,
    restart: true,
    dialog: true,
    parameter: 'toolSandboxing',
    live: true,
  }),
  disableYoloMode: off('Refuse yolo mode, also by flag.', {
    strict: true,
    restart: true,
    dialog: true,
    parameter: 'disableYoloMode',
    live: true,
  }),
  disableAlwaysAllow: off('Questions have no "always allow".', {
    strict: true,
    restart: true,
    dialog: true,
    parameter: 'disableAlwaysAllow',
    live: true,
  }),
  enablePermanentToolApproval: off('Questions offer "for all future sessions".', {
    dialog: true,
    parameter: 'approvals.allowsSaving',
  }),
  autoAddToPolicyByDefault: off('Preselect that answer for tools of low risk.', {
    dialog: true,
    parameter: 'approvals.suggestsSaving',
  }),
  blockGitExtensions: off('No extensions from git repositories.', {
    strict: true,
    restart: true,
    dialog: true,
  }),
  allowedExtensions: {
    kind: 'array',
    default: [],
    restart: true,
    description: 'Regular expressions; if there are any, only extensions from matching sources.',
  },
  folderTrust: group('Folder trust.', {
    enabled: on('What a folder brings along takes effect only once you trust the folder.', {
      restart: true,
      from: 'user_and_system',
      dialog: true,
    }),
  }),
  environmentVariableRedaction: {
    kind: 'object',
    description: 'Which environment variables commands, hooks and MCP servers get.',
    parameter: 'environmentRedaction',
    live: true,
    properties: {
      enabled: off('Keep variables that look secret from them.', {
        strict: true,
        restart: true,
        dialog: true,
      }),
      allowed: { kind: 'array', default: [], restart: true, description: 'Variables they always get.' },
      blocked: { kind: 'array', default: [], restart: true, description: 'Variables they never get.' },
    },
  },
  maskSecretsForModel: on(
    'Mask secrets in tool output before the model sees it. Disk, logs and screen stay masked in any case.',
    { dialog: true, parameter: 'maskSecretsForModel', live: true },
  ),
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
        description: 'The key is added outside, e.g. by a gateway: a missing one is not an error.',
      },
    },
  },
  enableConseca: off('A model writes a policy for each prompt and judges each tool call by it.', {
    strict: true,
    restart: true,
    dialog: true,
    parameter: 'enableConseca',
    live: true,
  }),
} as const satisfies SettingsSection;

/** Settings `tools.*`. */
import type { SettingsSection } from './definition.js';

export const TOOLS = {
  sandbox: {
    kind: ['boolean', 'string', 'object'],
    restart: true,
    description:
      'Run the whole program in a sandbox: true, a command (docker, podman, sandbox-exec, runsc, lxc, windows-native), the path of a profile, or an object.',
    properties: {
      enabled: { kind: 'boolean', description: 'Use it.' },
      command: { kind: 'string', description: 'Program that makes the sandbox.' },
      image: { kind: 'string', description: 'Container image.' },
      allowedPaths: { kind: 'array', description: 'Further paths it may use.' },
      networkAccess: { kind: 'boolean', description: 'Network inside.' },
    },
  },
  sandboxAllowedPaths: {
    kind: 'array',
    default: [],
    restart: true,
    description:
      'Further paths: sandboxed commands may write them, a sandbox of the whole program may read them.',
  },
  sandboxNetworkAccess: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'Network inside the sandbox.',
  },
  shell: {
    kind: 'object',
    description: 'Commands.',
    properties: {
      enableInteractiveShell: {
        kind: 'boolean',
        default: true,
        restart: true,
        description: 'Give commands a terminal; pipes where there is none.',
        dialog: true,
      },
      backgroundCompletionBehavior: {
        kind: 'enum',
        values: ['silent', 'inject', 'notify'],
        default: 'silent',
        description: 'When a background command ends: say nothing, tell the model, or tell you.',
        dialog: true,
      },
      backgroundAfterSeconds: {
        kind: 'number',
        default: 0,
        minimum: 0,
        description:
          'A command that still runs after so many seconds moves to the background (interactive sessions); 0: never.',
        dialog: true,
      },
      pager: { kind: 'string', default: 'cat', description: 'PAGER for commands.', dialog: true },
      showColor: { kind: 'boolean', default: true, description: 'Keep colours of commands.', dialog: true },
      inactivityTimeout: {
        kind: 'number',
        default: 300,
        minimum: 0,
        description: 'Seconds without output after which a command is ended; 0: never.',
      },
      enableShellOutputEfficiency: {
        kind: 'boolean',
        default: true,
        description: 'Tell the model to prefer quiet flags.',
        dialog: true,
      },
    },
  },
  deferAbove: {
    kind: 'number',
    default: 0.1,
    minimum: 0,
    maximum: 1,
    description: 'Share of the context above which tools are described on demand only; 1: never.',
  },
  core: {
    kind: 'array',
    restart: true,
    description: 'Only these built-in tools, as ToolName or tool_name(prefix); []: none.',
  },
  allowed: {
    kind: 'array',
    restart: true,
    description: 'Tools that run without approval, as ToolName or tool_name(prefix).',
  },
  confirmationRequired: {
    kind: 'array',
    restart: true,
    description: 'Tools that always ask; wins over allowed and core.',
  },
  exclude: { kind: 'array', merge: 'union', restart: true, description: 'Tools that never run.' },
  discoveryCommand: {
    kind: 'string',
    restart: true,
    description: 'Command that prints the declarations of tools of your project.',
  },
  callCommand: {
    kind: 'string',
    restart: true,
    description: 'Command that runs such a tool: name as argument, JSON on stdin and stdout.',
  },
  useRipgrep: {
    kind: 'boolean',
    default: true,
    description: 'Search with ripgrep, from PATH or bundled; off: the built-in searcher.',
    dialog: true,
  },
  webSearch: {
    kind: 'object',
    description: 'Search service behind google_web_search for models that cannot search by themselves.',
    properties: {
      endpoint: { kind: 'string', vital: true, description: 'URL.' },
      apiKeyEnv: { kind: 'string', vital: true, description: 'Environment variable that holds the key.' },
    },
  },
  truncateToolOutputThreshold: {
    kind: 'number',
    default: 40_000,
    restart: true,
    description: 'Characters of one tool result the model sees; the rest goes to a file. 0 or less: all.',
    dialog: true,
  },
  disableLLMCorrection: {
    kind: 'boolean',
    default: true,
    restart: true,
    description: 'An edit that does not fit fails; off: a model tries to repair it.',
    dialog: true,
  },
} as const satisfies SettingsSection;

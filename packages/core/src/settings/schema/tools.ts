/** Settings `tools.*`. */
import { off, on, type SettingsSection } from './definition.js';

export const TOOLS = {
  sandbox: {
    kind: ['boolean', 'string', 'object'],
    restart: true,
    strict: true,
    description:
      'Run the whole program in a sandbox: true, a command (docker, podman, bwrap, sandbox-exec, runsc, lxc, windows-native), the path of a profile, or an object.',
    properties: {
      enabled: { kind: 'boolean', strict: true, description: 'Use it.' },
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
    parameter: 'sandboxAllowedPaths',
    live: true,
  },
  sandboxNetworkAccess: off('Network inside the sandbox.', {
    restart: true,
    parameter: 'sandboxNetworkAccess',
    live: true,
  }),
  shell: {
    kind: 'object',
    description: 'Commands.',
    parameter: 'shell',
    live: true,
    properties: {
      enableInteractiveShell: on('Give commands a terminal; pipes where there is none.', {
        restart: true,
        dialog: true,
      }),
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
      showColor: on('Keep colours of commands.', { dialog: true }),
      inactivityTimeout: {
        kind: 'number',
        default: 300,
        minimum: 0,
        description: 'Seconds without output after which a command is ended; 0: never.',
      },
      enableShellOutputEfficiency: on('Tell the model to prefer quiet flags.', { dialog: true }),
    },
  },
  deferAbove: {
    kind: 'number',
    default: 0.1,
    minimum: 0,
    maximum: 1,
    description: 'Share of the context above which tools are described on demand only; 1: never.',
    parameter: 'deferToolsAbove',
    live: true,
  },
  core: {
    kind: 'array',
    strict: [],
    restart: true,
    description: 'Only these built-in tools, as ToolName or tool_name(prefix); []: none.',
    parameter: 'coreTools',
    live: true,
  },
  allowed: {
    kind: 'array',
    restart: true,
    description: 'Tools that run without approval, as ToolName or tool_name(prefix).',
    parameter: 'allowedTools',
    live: true,
  },
  confirmationRequired: {
    kind: 'array',
    restart: true,
    description: 'Tools that always ask; wins over allowed and core.',
    parameter: 'confirmationRequired',
    live: true,
  },
  exclude: {
    kind: 'array',
    merge: 'union',
    restart: true,
    description: 'Tools that never run.',
    parameter: 'excludeTools',
    live: true,
  },
  discoveryCommand: {
    kind: 'string',
    restart: true,
    description: 'Command that prints the declarations of tools of your project, as a JSON list.',
    parameter: 'discovery.command',
    live: true,
  },
  callCommand: {
    kind: 'string',
    restart: true,
    description: 'Command that runs such a tool: name as argument, JSON on stdin and stdout.',
    parameter: 'discovery.callCommand',
    live: true,
  },
  useRipgrep: on('Search with ripgrep, from PATH or bundled; off: the built-in searcher.', {
    dialog: true,
    parameter: 'useRipgrep',
    live: true,
  }),
  webSearch: {
    kind: 'object',
    description: 'Search service behind google_web_search for models that cannot search by themselves.',
    parameter: 'webSearch',
    live: true,
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
    parameter: 'truncateToolOutputThreshold',
    live: true,
  },
  disableLLMCorrection: on('An edit that does not fit fails; off: a model tries to repair it.', {
    restart: true,
    dialog: true,
    parameter: 'disableLLMCorrection',
  }),
} as const satisfies SettingsSection;

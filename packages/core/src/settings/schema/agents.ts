/** Settings `agents.*`. */
import { group, off, on, type SettingsSection } from './definition.js';
import { MCP_SERVER } from './mcp.js';

/** The project must not vouch for a server: only the user and the system may trust one. */
export const AGENT_SERVER = {
  ...MCP_SERVER,
  properties: {
    ...MCP_SERVER.properties,
    trust: { ...MCP_SERVER.properties.trust, from: 'user_and_system' },
  },
} as const;

export const AGENTS = {
  maxParallel: {
    kind: 'number',
    default: 4,
    minimum: 1,
    parameter: 'agents.maxParallel',
    live: true,
    description: 'How many agents work at the same time.',
  },
  overrides: {
    kind: 'object',
    default: {},
    restart: true,
    parameter: 'agents.overrides',
    live: true,
    items: group('One agent.', {
      enabled: { kind: 'boolean', description: 'The agent can be used.' },
      modelConfig: { kind: 'object', open: true, description: 'Model and how it generates.' },
      runConfig: group('Limits of a run.', {
        maxTimeMinutes: { kind: 'number', minimum: 0, description: 'Minutes.' },
        maxTurns: { kind: 'number', minimum: 1, description: 'Model requests.' },
      }),
      tools: { kind: 'array', vital: true, description: 'Tools it may use, in place of its own list.' },
      mcpServers: {
        kind: 'object',
        // Merged field by field, a project could put its own command into a server that the user trusts.
        merge: 'shallow',
        items: AGENT_SERVER,
        description: 'MCP servers only for this agent. `trust` counts in user and system settings only.',
      },
      isolation: {
        kind: 'enum',
        values: ['none', 'worktree'],
        description: 'Whether it works in a git worktree of its own.',
      },
    }),
    description: 'Changes to agents by name.',
  },
  enabled: {
    kind: 'array',
    default: [],
    restart: true,
    parameter: 'agents.enabled',
    live: true,
    description: 'Enabled agents.',
  },
  disabled: {
    kind: 'array',
    default: [],
    restart: true,
    parameter: 'agents.disabled',
    live: true,
    description: 'Disabled agents; wins over enabled. Agents in neither list keep their own default.',
  },
  browser: group('The browser agent.', {
    sessionMode: {
      kind: 'enum',
      parameter: 'browser.sessionMode',
      values: ['persistent', 'isolated', 'existing'],
      default: 'persistent',
      restart: true,
      description: 'A separate profile that is kept, a temporary one, or the running browser.',
    },
    headless: off('Without a window.', { restart: true, parameter: 'browser.headless' }),
    profilePath: {
      kind: 'string',
      restart: true,
      parameter: 'browser.profilePath',
      description: 'Folder of the profile.',
    },
    visualModel: {
      kind: 'string',
      restart: true,
      parameter: 'browser.visualModel',
      description: 'Model that looks at screenshots.',
    },
    allowedDomains: {
      kind: 'array',
      parameter: 'browser.allowedDomains',
      default: ['github.com', '*.google.com', 'localhost'],
      restart: true,
      description: 'Hosts it may visit.',
    },
    disableUserInput: on('The page takes no input from you while the agent works.', {
      parameter: 'browser.disableUserInput',
    }),
    maxActionsPerTask: {
      kind: 'number',
      parameter: 'browser.maxActionsPerTask',
      default: 100,
      minimum: 1,
      description: 'Maximum number of actions.',
    },
    confirmSensitiveActions: off('Always ask before file uploads and scripts, too.', {
      restart: true,
      parameter: 'browser.confirmSensitiveActions',
    }),
    blockFileUploads: off('No uploads.', { restart: true, parameter: 'browser.blockFileUploads' }),
  }),
} as const satisfies SettingsSection;

/** Settings `agents.*`. */
import { group, off, on, type SettingsSection } from './definition.js';
import { MCP_SERVER } from './mcp.js';

export const AGENTS = {
  overrides: {
    kind: 'object',
    default: {},
    restart: true,
    items: group('One agent.', {
      enabled: { kind: 'boolean', description: 'The agent can be used.' },
      modelConfig: { kind: 'object', open: true, description: 'Model and how it generates.' },
      runConfig: group('Limits of a run.', {
        maxTimeMinutes: { kind: 'number', minimum: 0, description: 'Minutes.' },
        maxTurns: { kind: 'number', minimum: 1, description: 'Model requests.' },
      }),
      tools: { kind: 'array', vital: true, description: 'Tools it may use, in place of its own list.' },
      mcpServers: { kind: 'object', items: MCP_SERVER, description: 'MCP servers only for this agent.' },
    }),
    description: 'Changes to agents by name.',
  },
  enabled: { kind: 'array', default: [], restart: true, description: 'Enabled agents.' },
  disabled: {
    kind: 'array',
    default: [],
    restart: true,
    description: 'Disabled agents; wins over enabled. Agents in neither list keep their own default.',
  },
  browser: group('The browser agent.', {
    sessionMode: {
      kind: 'enum',
      values: ['persistent', 'isolated', 'existing'],
      default: 'persistent',
      restart: true,
      description: 'A separate profile that is kept, a temporary one, or the running browser.',
    },
    headless: off('Without a window.', { restart: true }),
    profilePath: { kind: 'string', restart: true, description: 'Folder of the profile.' },
    visualModel: { kind: 'string', restart: true, description: 'Model that looks at screenshots.' },
    allowedDomains: {
      kind: 'array',
      default: ['github.com', '*.google.com', 'localhost'],
      restart: true,
      description: 'Hosts it may visit.',
    },
    disableUserInput: on('The page takes no input from you while the agent works.'),
    maxActionsPerTask: {
      kind: 'number',
      default: 100,
      minimum: 1,
      description: 'Maximum number of actions.',
    },
    confirmSensitiveActions: off('Ask before actions that matter.', { restart: true }),
    blockFileUploads: off('No uploads.', { restart: true }),
  }),
} as const satisfies SettingsSection;

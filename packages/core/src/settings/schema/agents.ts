/** Settings `agents.*`. */
import type { SettingsSection } from './definition.js';
import { MCP_SERVER } from './mcp.js';

export const AGENTS = {
  overrides: {
    kind: 'object',
    default: {},
    restart: true,
    items: {
      kind: 'object',
      description: 'One agent.',
      properties: {
        enabled: { kind: 'boolean', description: 'The agent can be used.' },
        modelConfig: { kind: 'object', open: true, description: 'Model and how it generates.' },
        runConfig: {
          kind: 'object',
          description: 'Limits of a run.',
          properties: {
            maxTimeMinutes: { kind: 'number', minimum: 0, description: 'Minutes.' },
            maxTurns: { kind: 'number', minimum: 1, description: 'Model requests.' },
          },
        },
        tools: { kind: 'array', vital: true, description: 'Tools it may use, in place of its own list.' },
        mcpServers: { kind: 'object', items: MCP_SERVER, description: 'MCP servers only for this agent.' },
      },
    },
    description: 'Changes to agents by name.',
  },
  enabled: { kind: 'array', default: [], restart: true, description: 'Enabled agents.' },
  disabled: {
    kind: 'array',
    default: [],
    restart: true,
    description: 'Disabled agents; wins over enabled. Agents in neither list keep their own default.',
  },
  browser: {
    kind: 'object',
    description: 'The browser agent.',
    properties: {
      sessionMode: {
        kind: 'enum',
        values: ['persistent', 'isolated', 'existing'],
        default: 'persistent',
        restart: true,
        description: 'A separate profile that is kept, a temporary one, or the running browser.',
      },
      headless: { kind: 'boolean', default: false, restart: true, description: 'Without a window.' },
      profilePath: { kind: 'string', restart: true, description: 'Folder of the profile.' },
      visualModel: { kind: 'string', restart: true, description: 'Model that looks at screenshots.' },
      allowedDomains: {
        kind: 'array',
        default: ['github.com', '*.google.com', 'localhost'],
        restart: true,
        description: 'Hosts it may visit.',
      },
      disableUserInput: {
        kind: 'boolean',
        default: true,
        description: 'The page takes no input from you while the agent works.',
      },
      maxActionsPerTask: {
        kind: 'number',
        default: 100,
        minimum: 1,
        description: 'Maximum number of actions.',
      },
      confirmSensitiveActions: {
        kind: 'boolean',
        default: false,
        restart: true,
        description: 'Ask before actions that matter.',
      },
      blockFileUploads: { kind: 'boolean', default: false, restart: true, description: 'No uploads.' },
    },
  },
} as const satisfies SettingsSection;

/** Settings `admin.*`: an organisation's remote controls. They have no effect in a file. */
import { off, type SettingsSection } from './definition.js';

const SWITCH = { kind: 'boolean', default: true, from: 'remote' } as const;

export const ADMIN = {
  secureModeEnabled: off('No yolo mode and no "always allow".', { from: 'remote' }),
  extensions: {
    kind: 'object',
    from: 'remote',
    description: 'Extensions.',
    properties: { enabled: { ...SWITCH, description: 'Extensions can be used.' } },
  },
  mcp: {
    kind: 'object',
    from: 'remote',
    description: 'MCP servers.',
    properties: {
      enabled: { ...SWITCH, parameter: 'mcpEnabled', live: true, description: 'MCP servers can be used.' },
      config: {
        kind: 'object',
        parameter: 'adminMcp.config',
        live: true,
        open: true,
        default: {},
        from: 'remote',
        description: 'Servers that are allowed; empty: all.',
      },
      requiredConfig: {
        kind: 'object',
        parameter: 'adminMcp.requiredConfig',
        live: true,
        open: true,
        default: {},
        from: 'remote',
        description: 'Servers that are always configured.',
      },
    },
  },
  skills: {
    kind: 'object',
    from: 'remote',
    description: 'Skills.',
    properties: {
      enabled: {
        ...SWITCH,
        description: 'Skills can be used.',
        parameter: 'adminAllowsSkills',
        live: true,
      },
    },
  },
} as const satisfies SettingsSection;

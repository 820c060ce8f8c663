/** Settings `advanced.*`. */
import type { SettingsSection } from './definition.js';

export const ADVANCED = {
  autoConfigureMemory: {
    kind: 'boolean',
    default: true,
    restart: true,
    ignored: true,
    description: 'Accepted. The process is never restarted for its memory.',
  },
  dnsResolutionOrder: {
    kind: 'enum',
    values: ['ipv4first', 'verbatim'],
    default: 'ipv4first',
    restart: true,
    description: "Order of a host's addresses.",
    dialog: true,
    pending: true,
  },
  excludedEnvVars: {
    kind: 'array',
    default: ['DEBUG', 'DEBUG_MODE'],
    merge: 'union',
    description: 'Variables that are not taken from a .env file of a project.',
  },
  ignoreLocalEnv: {
    kind: 'boolean',
    default: false,
    restart: true,
    description: 'Skip a plain .env file of a project, as --ignore-env.',
    dialog: true,
  },
  bugCommand: {
    kind: 'object',
    description: 'Target of /bug.',
    pending: true,
    properties: {
      urlTemplate: { kind: 'string', description: 'URL with the placeholders {title} and {info}.' },
    },
  },
} as const satisfies SettingsSection;

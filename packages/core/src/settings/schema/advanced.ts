/** Settings `advanced.*`. */
import { off, on, type SettingsSection } from './definition.js';

export const ADVANCED = {
  autoConfigureMemory: on('Start with more memory on large machines.', {
    restart: true,
    ignored: 'the process is never restarted for its memory',
  }),
  dnsResolutionOrder: {
    kind: 'enum',
    values: ['ipv4first', 'verbatim'],
    default: 'ipv4first',
    restart: true,
    description: "Order of a host's addresses.",
    dialog: true,
  },
  excludedEnvVars: {
    kind: 'array',
    default: ['DEBUG', 'DEBUG_MODE'],
    merge: 'union',
    description: 'Variables that are not taken from a .env file of a project.',
  },
  ignoreLocalEnv: off('Skip a plain .env file of a project, as --ignore-env.', {
    restart: true,
    dialog: true,
  }),
  bugCommand: {
    kind: 'object',
    description: 'Target of /bug.',
    properties: {
      urlTemplate: { kind: 'string', description: 'URL with the placeholders {title} and {info}.' },
    },
  },
} as const satisfies SettingsSection;

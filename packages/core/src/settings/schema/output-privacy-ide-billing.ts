/** Settings `output.*`, `privacy.*`, `ide.*` and `billing.*`. */
import { group, off, on, type SettingsSection } from './definition.js';

export const OUTPUT = {
  format: {
    kind: 'enum',
    values: ['text', 'json'],
    default: 'text',
    description: 'How a headless run prints its answer. The flag --output-format also knows stream-json.',
    dialog: true,
  },
} as const satisfies SettingsSection;

export const PRIVACY = {
  usageStatisticsEnabled: on('Other programs that share these settings may send usage statistics.', {
    restart: true,
    ignored: 'the program sends none',
  }),
} as const satisfies SettingsSection;

export const IDE = {
  enabled: off('Connect to the companion extension of your editor.', {
    restart: true,
    dialog: true,
    parameter: 'ide.enabled',
  }),
  hasSeenNudge: off('The hint about the companion was shown.'),
} as const satisfies SettingsSection;

export const BILLING = {
  overageStrategy: {
    kind: 'enum',
    values: ['ask', 'always', 'never'],
    default: 'ask',
    description: 'Whether credits are spent once the quota is used up.',
    dialog: true,
  },
  vertexAi: group('How requests to Vertex AI are billed.', {
    requestType: {
      kind: 'enum',
      values: ['dedicated', 'shared'],
      restart: true,
      description: 'Sent as header X-Vertex-AI-LLM-Request-Type.',
    },
    sharedRequestType: {
      kind: 'enum',
      values: ['priority', 'flex'],
      restart: true,
      description: 'Sent as header X-Vertex-AI-LLM-Shared-Request-Type.',
    },
  }),
} as const satisfies SettingsSection;

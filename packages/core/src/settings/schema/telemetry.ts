/** Settings `telemetry.*`. */
import { on, type SettingsSection } from './definition.js';

const OFF = { kind: 'boolean', default: false, restart: true } as const;

export const TELEMETRY = {
  enabled: { ...OFF, description: 'Record telemetry. Off: not a byte leaves the machine.' },
  target: {
    kind: 'enum',
    values: ['local', 'gcp', 'console'],
    default: 'local',
    restart: true,
    fatal: true,
    description: 'Where to: a local collector or file, Google Cloud, or stderr.',
  },
  otlpEndpoint: {
    kind: 'string',
    default: 'http://localhost:4317',
    restart: true,
    description: 'Address of the collector.',
  },
  otlpProtocol: {
    kind: 'enum',
    values: ['grpc', 'http'],
    default: 'grpc',
    restart: true,
    fatal: true,
    description: 'Protocol of the collector.',
  },
  outfile: { kind: 'string', restart: true, description: 'Write to this file; wins over the collector.' },
  logPrompts: on('Include prompts, answers and arguments of tools.', { restart: true }),
  traces: { ...OFF, description: 'Include contents in the traces.' },
  useCollector: { ...OFF, description: 'Send to Google Cloud through a collector.' },
  useCliAuth: { ...OFF, description: 'Use the sign-in of the program for Google Cloud.' },
} as const satisfies SettingsSection;

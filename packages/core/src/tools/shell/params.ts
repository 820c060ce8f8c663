/** What `run_shell_command` accepts. */
import type { JsonSchema } from '../../protocol/tool-declaration.js';

export interface ShellToolParams {
  command: string;
  /** What the command does, in a few words. */
  description?: string;
  dir_path?: string;
  is_background?: boolean;
  /** How long to watch a background command before the call returns. */
  delay_ms?: number;
  /** Hard limit of this call. */
  timeout_ms?: number;
  environment?: Record<string, string>;
}

export const DECLARED_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'Command line for bash -c (Windows: PowerShell).' },
    description: { type: 'string', description: 'What it does, one short sentence for the user.' },
    dir_path: { type: 'string', description: 'Folder to run in; default: project root.' },
    is_background: {
      type: 'boolean',
      description: 'For servers and watchers: return while it runs. Do not add "&".',
    },
    delay_ms: { type: 'integer', minimum: 0, description: 'With is_background: wait this long first (200).' },
  },
  required: ['command'],
};

/** Accepted on top of what is declared. */
export const ACCEPTED_SCHEMA: JsonSchema = {
  ...DECLARED_SCHEMA,
  properties: {
    ...DECLARED_SCHEMA.properties,
    timeout_ms: { type: 'integer', minimum: 1 },
    environment: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** The kernel takes no longer argument than 128 KB. */
const MAX_COMMAND_BYTES = 120_000;

/** Null when fine. */
export function commandProblem({ command, environment = {} }: ShellToolParams): string | null {
  if (command.trim() === '') return 'Command cannot be empty.';
  if (command.includes('\0')) return 'Command must not contain NUL characters.';
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return `Command is longer than ${MAX_COMMAND_BYTES} bytes. Write it to a script file and run that.`;
  }
  for (const [name, value] of Object.entries(environment)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `"${name}" is not a valid name of an environment variable.`;
    if (value.includes('\0')) return `The environment variable ${name} must not contain NUL characters.`;
  }
  return null;
}

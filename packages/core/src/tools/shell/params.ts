/** What `run_shell_command` accepts. */
import type { SandboxPermissions } from '../../protocol/confirmation.js';
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
  /** Beyond what the sandbox allows; the user is asked. */
  additional_permissions?: SandboxPermissions;
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

const PATHS: JsonSchema = { type: 'array', items: { type: 'string' } };

/** Declared while commands are sandboxed. */
export const SANDBOXED_SCHEMA: JsonSchema = {
  ...DECLARED_SCHEMA,
  properties: {
    ...DECLARED_SCHEMA.properties,
    additional_permissions: {
      type: 'object',
      description: 'What the command needs beyond its sandbox; the user is asked for it.',
      properties: {
        network: { type: 'boolean' },
        fileSystem: { type: 'object', properties: { read: PATHS, write: PATHS } },
      },
    },
  },
};

/** Accepted on top of what is declared. */
export const ACCEPTED_SCHEMA: JsonSchema = {
  ...SANDBOXED_SCHEMA,
  properties: {
    ...SANDBOXED_SCHEMA.properties,
    timeout_ms: { type: 'integer', minimum: 1 },
    environment: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** The kernel takes no longer argument than 128 KB. */
const MAX_COMMAND_BYTES = 120_000;

/** Null when fine. */
export function commandProblem({
  command,
  environment = {},
  additional_permissions,
}: ShellToolParams): string | null {
  if (command.trim() === '') return 'Command cannot be empty.';
  if (command.includes('\0')) return 'Command must not contain NUL characters.';
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return `Command is longer than ${MAX_COMMAND_BYTES} bytes. Write it to a script file and run that.`;
  }
  for (const [name, value] of Object.entries(environment)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `"${name}" is not a valid name of an environment variable.`;
    if (value.includes('\0')) return `The environment variable ${name} must not contain NUL characters.`;
  }
  const { read = [], write = [] } = additional_permissions?.fileSystem ?? {};
  if ([...read, ...write].some((path) => path.trim() === '' || path.includes('\0'))) {
    return 'A path in additional_permissions is empty or contains NUL characters.';
  }
  return null;
}

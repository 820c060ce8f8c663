/** What `run_shell_command` accepts. */
import type { SandboxPermissions } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { type DescribedTool, describeTool } from '../describe-tool.js';
import sandboxProse from './sandboxed.md';
import prose from './shell.md';

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

export const DECLARED = describeTool(prose, {
  type: 'object',
  properties: {
    command: { type: 'string' },
    description: { type: 'string' },
    dir_path: { type: 'string' },
    is_background: { type: 'boolean' },
    delay_ms: { type: 'integer', minimum: 0 },
  },
  required: ['command'],
});

const PATHS: JsonSchema = { type: 'array', items: { type: 'string' } };
const sandboxed = describeTool(sandboxProse, {
  ...DECLARED.schema,
  properties: {
    ...DECLARED.schema.properties,
    additional_permissions: {
      type: 'object',
      properties: {
        network: { type: 'boolean' },
        fileSystem: { type: 'object', properties: { read: PATHS, write: PATHS } },
      },
    },
  },
});

/** Declared while commands are sandboxed. */
export const DECLARED_IN_SANDBOX: DescribedTool = {
  description: `${DECLARED.description} ${sandboxed.description}`,
  schema: sandboxed.schema,
};

/** Accepted on top of what is declared. */
export const ACCEPTED_SCHEMA: JsonSchema = {
  ...sandboxed.schema,
  properties: {
    ...sandboxed.schema.properties,
    timeout_ms: { type: 'integer', minimum: 1 },
    environment: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** Linux limits one argument to 128 KB. */
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

/** The table of command-line flags. The parser, the help text and the types of the values are derived from it. */

export type FlagType = 'boolean' | 'string' | 'optional-string' | 'number' | 'list';
export type FlagGroup =
  | 'Run'
  | 'Model'
  | 'Approval and safety'
  | 'Workspace'
  | 'Sessions'
  | 'Output'
  | 'Limits';

export interface FlagSpec {
  name: string;
  alias?: string;
  type: FlagType;
  choices?: readonly string[];
  /** Other spellings of a choice. */
  synonyms?: Readonly<Record<string, string>>;
  description: string;
  /** Placeholder for the value in the help text. */
  value?: string;
  hidden?: boolean;
  group: FlagGroup;
}

export const FLAGS = [
  {
    name: 'prompt',
    alias: 'p',
    type: 'string',
    value: 'text',
    description: 'Answer this prompt and exit. Text on stdin is put in front of it.',
    group: 'Run',
  },
  {
    name: 'prompt-interactive',
    alias: 'i',
    type: 'string',
    value: 'text',
    description: 'Start with this prompt, then stay in the interactive screen.',
    group: 'Run',
  },
  {
    name: 'debug',
    alias: 'd',
    type: 'boolean',
    description: 'Write a debug log; show stack traces.',
    group: 'Run',
  },
  {
    name: 'acp',
    type: 'boolean',
    description: 'Speak the Agent Client Protocol on stdin and stdout, for editors.',
    group: 'Run',
  },
  {
    name: 'experimental-acp',
    type: 'boolean',
    description: 'Older name of --acp.',
    group: 'Run',
  },
  { name: 'help', alias: 'h', type: 'boolean', description: 'Show this text.', group: 'Run' },
  { name: 'version', alias: 'v', type: 'boolean', description: 'Show the version.', group: 'Run' },

  {
    name: 'model',
    alias: 'm',
    type: 'string',
    value: 'name',
    description:
      'Model or alias: auto, pro, flash, flash-lite, or "offline" for the built-in guide that needs no key.',
    group: 'Model',
  },
  {
    name: 'fake-responses',
    type: 'string',
    value: 'file',
    description: 'Replay model responses.',
    group: 'Model',
    hidden: true,
  },
  {
    name: 'fake-responses-non-strict',
    type: 'string',
    value: 'file',
    description: 'Replay model responses, each kind in its own order.',
    group: 'Model',
    hidden: true,
  },
  {
    name: 'record-responses',
    type: 'string',
    value: 'file',
    description: 'Record model responses.',
    group: 'Model',
    hidden: true,
  },

  {
    name: 'approval-mode',
    type: 'string',
    value: 'mode',
    choices: ['default', 'auto_edit', 'yolo', 'plan'],
    synonyms: { autoEdit: 'auto_edit', interactive: 'default' },
    description: 'What runs without asking: reading only, also edits, everything; or plan without changes.',
    group: 'Approval and safety',
  },
  {
    name: 'yolo',
    alias: 'y',
    type: 'boolean',
    description: 'Older form of --approval-mode=yolo.',
    group: 'Approval and safety',
  },
  {
    name: 'sandbox',
    alias: 's',
    type: 'boolean',
    description: 'Run the whole program inside a sandbox.',
    group: 'Approval and safety',
  },
  {
    name: 'policy',
    type: 'list',
    value: 'paths',
    description: 'Policy files or directories that replace the allow rules of ~/.gemini/policies.',
    group: 'Approval and safety',
  },
  {
    name: 'admin-policy',
    type: 'list',
    value: 'paths',
    description: 'Additional policy files or directories of the admin tier.',
    group: 'Approval and safety',
  },
  {
    name: 'allowed-tools',
    type: 'list',
    value: 'names',
    description: 'Deprecated: tools that run without confirmation.',
    group: 'Approval and safety',
  },
  {
    name: 'allowed-mcp-server-names',
    type: 'list',
    value: 'names',
    description: 'Use only these MCP servers.',
    group: 'Approval and safety',
  },
  {
    name: 'skip-trust',
    type: 'boolean',
    description: 'Trust this folder for this session.',
    group: 'Approval and safety',
  },

  {
    name: 'include-directories',
    type: 'list',
    value: 'paths',
    description: 'Additional workspace directories.',
    group: 'Workspace',
  },
  {
    name: 'worktree',
    alias: 'w',
    type: 'optional-string',
    value: 'name',
    description: 'Work in a separate git worktree; needs the setting experimental.worktrees.',
    group: 'Workspace',
  },
  {
    name: 'ignore-env',
    type: 'boolean',
    description: 'Do not read the .env file of the project.',
    group: 'Workspace',
  },
  {
    name: 'extensions',
    alias: 'e',
    type: 'list',
    value: 'names',
    description: 'Use only these extensions; "none" for no extension.',
    group: 'Workspace',
  },
  {
    name: 'list-extensions',
    alias: 'l',
    type: 'boolean',
    description: 'List the installed extensions.',
    group: 'Workspace',
  },

  {
    name: 'resume',
    alias: 'r',
    type: 'optional-string',
    value: 'id',
    description: 'Continue an earlier session: "latest", its number or its id.',
    group: 'Sessions',
  },
  {
    name: 'session-id',
    type: 'string',
    value: 'id',
    description: 'Start a new session under this id (letters, digits, "_" and "-").',
    group: 'Sessions',
  },
  {
    name: 'session-file',
    type: 'string',
    value: 'path',
    description: 'Import a session file and continue from there.',
    group: 'Sessions',
  },
  {
    name: 'list-sessions',
    type: 'boolean',
    description: 'List the sessions of this project.',
    group: 'Sessions',
  },
  {
    name: 'delete-session',
    type: 'string',
    value: 'id',
    description: 'Delete a session by its number or id.',
    group: 'Sessions',
  },

  {
    name: 'output-format',
    alias: 'o',
    type: 'string',
    value: 'format',
    choices: ['text', 'json', 'stream-json'],
    description: 'Output format: plain text, one JSON object, or one JSON event per line.',
    group: 'Output',
  },
  {
    name: 'raw-output',
    type: 'boolean',
    description: 'Keep terminal escape sequences in model text.',
    group: 'Output',
  },
  {
    name: 'accept-raw-output-risk',
    type: 'boolean',
    description: 'As --raw-output, without its warning.',
    group: 'Output',
  },
  {
    name: 'output-schema',
    type: 'string',
    value: 'path',
    description: 'JSON Schema that the answer must satisfy; nothing but the JSON is printed.',
    group: 'Output',
  },
  {
    name: 'screen-reader',
    type: 'boolean',
    description: 'Use a layout for screen readers.',
    group: 'Output',
  },

  {
    name: 'max-tokens',
    type: 'number',
    value: 'n',
    description: 'Stop before using more tokens than this.',
    group: 'Limits',
  },
  {
    name: 'max-time',
    type: 'number',
    value: 'seconds',
    description: 'Stop after this many seconds, also in the middle of a call.',
    group: 'Limits',
  },
  {
    name: 'max-tool-calls',
    type: 'number',
    value: 'n',
    description: 'Stop before more tool calls than this.',
    group: 'Limits',
  },
  {
    name: 'max-cost',
    type: 'number',
    value: 'usd',
    description: 'Stop once this much is spent.',
    group: 'Limits',
  },
] as const satisfies readonly FlagSpec[];

type Flag = (typeof FLAGS)[number];

type ValueOf<F> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { type: 'boolean' }
    ? boolean
    : F extends { type: 'number' }
      ? number
      : F extends { type: 'list' }
        ? string[]
        : string;

/** The flags of one command line, with the types of the table. */
export type FlagValues = { [F in Flag as F['name']]?: ValueOf<F> };

/** The table of subcommands with their verbs and flags. */

export interface SubcommandSpec {
  name: string;
  aliases?: readonly string[];
  description: string;
  verbs?: readonly string[];
  flags?: readonly (readonly [flag: string, description: string])[];
  /** subcommands/dispatch.ts has a handler for it. */
  isAvailable?: boolean;
}

export const SUBCOMMANDS: readonly SubcommandSpec[] = [
  {
    name: 'mcp',
    description: 'Manage MCP servers',
    verbs: ['add', 'remove', 'list', 'enable', 'disable'],
    flags: [
      ['--scope, -s', 'add, remove: user or project (default project)'],
      ['--transport, -t', 'add: stdio, sse or http (default stdio; http for an address)'],
      ['--env, -e KEY=value', 'add: variable of the server; may be repeated'],
      ['--header, -H "Name: value"', 'add: header of every request; may be repeated'],
      ['--timeout', 'add: milliseconds for connecting and for each request'],
      ['--trust', 'add: its tools run without approval, in trusted folders'],
      ['--description', 'add: shown in lists'],
      ['--include-tools, --exclude-tools', 'add: names separated by commas'],
      ['--', 'add: everything after it is for the server'],
      ['--session', 'enable, disable: for this session only'],
    ],
    isAvailable: true,
  },
  {
    name: 'extensions',
    aliases: ['extension'],
    description: 'Manage extensions',
    verbs: [
      'install',
      'uninstall',
      'list',
      'update',
      'enable',
      'disable',
      'link',
      'new',
      'validate',
      'config',
      'convert',
      'import',
    ],
    flags: [['--strict', 'validate: warnings count as errors']],
    isAvailable: true,
  },
  {
    name: 'skills',
    aliases: ['skill'],
    description: 'Manage agent skills',
    verbs: ['list', 'enable', 'disable', 'install', 'link', 'uninstall'],
    flags: [
      ['--all', 'list: our own too; enable, disable: every skill'],
      ['--scope, -s', 'user or workspace'],
      ['--path', 'install: folder inside the source'],
      ['--ref', 'install: branch, tag or commit of a git repository'],
      ['--consent', 'install, link: do not ask'],
    ],
    isAvailable: true,
  },
  {
    name: 'hooks',
    aliases: ['hook'],
    description: 'Manage hooks',
    verbs: ['list', 'enable', 'disable', 'migrate'],
    flags: [
      ['--output-format, -o', 'list: text or json'],
      ['--from-claude', 'migrate: take over the hooks of .claude/settings.json'],
    ],
    isAvailable: true,
  },
  {
    name: 'agents',
    description: 'List sub-agents, check and repair their files: agents validate [path]',
    verbs: ['list', 'validate'],
    flags: [
      ['--fix', 'validate: rewrite files that do not load, and keep a copy'],
      ['--dry-run', 'validate --fix: only show the changes'],
      ['--yes', 'validate --fix: do not ask'],
      ['--output-format', 'text or json'],
    ],
    isAvailable: true,
  },
  {
    name: 'sessions',
    description: 'Manage stored sessions',
    verbs: ['list', 'show', 'search', 'export', 'import', 'delete', 'rename', 'fork'],
    flags: [
      ['--json', 'JSON instead of text'],
      ['--format', 'export: json, md or html'],
      ['--force', 'export: replace an existing file'],
      ['--turn', 'fork: the last prompt to copy, from 1'],
      ['--yes', 'delete: do not ask'],
    ],
    isAvailable: true,
  },
  {
    name: 'gemma',
    description: 'Run the local routing model',
    verbs: ['setup', 'start', 'stop', 'status', 'logs'],
  },
  {
    name: 'a2a-server',
    description: 'Serve other programs over A2A, with a page at /ui',
    flags: [
      ['--port', 'Port; any free one by default'],
      ['--role', 'With a database: all, api or worker'],
      ['--labels', 'With a database: labels of this worker, separated by commas'],
    ],
    isAvailable: true,
  },
  {
    name: 'undo',
    description:
      'Undo file changes of tools and commands: the last one, the one with this id, or all of a prompt: undo turn',
    flags: [
      ['--list', 'List the changes that can be undone'],
      ['--preview', 'Show what would change, and change nothing'],
      ['--yes', 'Do not ask'],
      ['--no-record', 'Undo without a record, for a full disk; cannot be undone itself'],
    ],
    isAvailable: true,
  },
  {
    name: 'doctor',
    description: 'Check the installation and say what to do',
    flags: [
      ['--json', 'One JSON object instead of text'],
      ['--offline', 'Send no request to the model'],
    ],
    isAvailable: true,
  },
  {
    name: 'update',
    description: 'Update the program with the package manager that installed it',
    flags: [['--check', 'Only say whether there is a newer version']],
    isAvailable: true,
  },
];

export function findSubcommand(word: string): SubcommandSpec | undefined {
  return SUBCOMMANDS.find((command) => command.name === word || command.aliases?.includes(word));
}

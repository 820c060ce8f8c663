/** Reads and writes `~/.gemini/policies/sandbox.toml`: rights of each mode, and permanent grants of the user. */
import { dirname } from 'node:path';
import { messageOf, UserError } from '../../../base/errors.js';
import { isObject } from '../../../base/objects.js';
import { preparePrivateDirectory, readSmallFile, writePrivateFile } from '../../files/private-file.js';
import { withFileLock } from '../../locks/file-lock.js';

export type SandboxMode = 'plan' | 'default' | 'accepting_edits' | 'yolo';

export interface ModeSettings {
  /** True: all hosts. A list: only these hosts. */
  network: boolean | readonly string[];
  readonly: boolean;
  approvedTools: readonly string[];
  /** The user may grant more when a command needs it. */
  allowOverrides: boolean;
}

export interface CommandGrant {
  allowedPaths: readonly string[];
  allowNetwork: boolean;
}

export interface SandboxFile {
  modes: Readonly<Record<SandboxMode, ModeSettings>>;
  commands: ReadonlyMap<string, CommandGrant>;
}

const CLOSED: ModeSettings = { network: false, readonly: false, approvedTools: [], allowOverrides: true };

export const DEFAULT_SANDBOX_FILE: SandboxFile = {
  modes: {
    plan: { ...CLOSED, readonly: true },
    default: CLOSED,
    accepting_edits: CLOSED,
    yolo: { ...CLOSED, network: true },
  },
  commands: new Map(),
};

/** An invalid file counts as absent; the warning is for the user. */
export async function readSandboxFile(path: string): Promise<{ file: SandboxFile; warning?: string }> {
  try {
    const text = readSmallFile(path)?.text;
    if (text === undefined) return { file: DEFAULT_SANDBOX_FILE };
    return { file: check(await parse(text)) };
  } catch (error) {
    const [first] = messageOf(error).split('\n');
    return { file: DEFAULT_SANDBOX_FILE, warning: `${path} is not used: ${first} The defaults apply.` };
  }
}

/**
 * Adds permanent rights of a command; keeps comments and other entries.
 * @throws UserError when the file is invalid; it is not changed
 */
export async function saveCommandGrant(path: string, command: string, grant: CommandGrant): Promise<void> {
  preparePrivateDirectory(dirname(path));
  await withFileLock(path, async () => {
    const text = readSmallFile(path)?.text ?? '';
    const before = await checked(path, text);
    const old = before.commands.get(command);
    const merged = {
      allowedPaths: [...new Set([...(old?.allowedPaths ?? []), ...grant.allowedPaths])],
      allowNetwork: grant.allowNetwork || (old?.allowNetwork ?? false),
    };
    const next = old
      ? replaceTable(text, command, merged)
      : `${text}${separator(text)}${table(command, merged)}`;
    const after = await checked(path, next);
    if (!isSaved(after, before, command, merged)) throw notEditable(path, command);
    writePrivateFile(path, next);
  });
}

async function checked(path: string, text: string): Promise<SandboxFile> {
  try {
    return check(await parse(text));
  } catch (error) {
    throw new UserError(`${path} cannot be changed while it is invalid: ${messageOf(error).split('\n')[0]}`, {
      code: 'sandbox_file',
      cause: error,
    });
  }
}

function isSaved(after: SandboxFile, before: SandboxFile, command: string, grant: CommandGrant): boolean {
  const expected = new Map([...before.commands, [command, grant]]);
  const plain = (commands: ReadonlyMap<string, CommandGrant>) => JSON.stringify([...commands].sort());
  return (
    plain(after.commands) === plain(expected) && JSON.stringify(after.modes) === JSON.stringify(before.modes)
  );
}

function notEditable(path: string, command: string): UserError {
  return new UserError(
    `${path}: the entry of "${command}" cannot be changed automatically. Edit it by hand.`,
    { code: 'sandbox_file' },
  );
}

function table(command: string, { allowedPaths, allowNetwork }: CommandGrant): string {
  const paths = allowedPaths.map((path) => JSON.stringify(path)).join(', ');
  return `[commands.${JSON.stringify(command)}]\nallowed_paths = [${paths}]\nallow_network = ${allowNetwork}\n`;
}

function separator(text: string): string {
  if (text === '') return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}

/** Replaces the lines from the table's header to the next one. */
function replaceTable(text: string, command: string, grant: CommandGrant): string {
  const lines = text.split('\n');
  const headers = [
    `[commands.${command}]`,
    `[commands.${JSON.stringify(command)}]`,
    `[commands.'${command}']`,
  ];
  const start = lines.findIndex((line) => headers.includes(line.replace(/#.*$/, '').trim()));
  if (start < 0) return text;
  const length = lines.slice(start + 1).findIndex((line) => line.trimStart().startsWith('['));
  const end = length < 0 ? lines.length : start + 1 + length;
  const rest = lines.slice(end);
  const body = table(command, grant).split('\n');
  return [...lines.slice(0, start), ...body, ...rest].join('\n');
}

async function parse(text: string): Promise<unknown> {
  const toml = await import('smol-toml');
  return toml.parse(text);
}

function check(value: unknown): SandboxFile {
  const { modes = {}, commands = {} } = record(value, 'the file');
  const given = record(modes, 'modes');
  const unknownMode = Object.keys(given).find(
    (name) => !['plan', 'default', 'accepting_edits'].includes(name),
  );
  if (unknownMode) throw new Error(`there is no mode "${unknownMode}" (plan, default, accepting_edits).`);
  const mode = (name: 'plan' | 'default' | 'accepting_edits') =>
    checkMode(record(given[name] ?? {}, `modes.${name}`), DEFAULT_SANDBOX_FILE.modes[name], name);
  const checkedCommands = Object.entries(record(commands, 'commands')).map(([name, entry]) => {
    const { allowed_paths = [], allow_network = false } = record(entry, `commands.${name}`);
    const allowedPaths = strings(allowed_paths, `commands.${name}.allowed_paths`);
    return [
      name,
      { allowedPaths, allowNetwork: flag(allow_network, `commands.${name}.allow_network`) },
    ] as const;
  });
  return {
    modes: {
      plan: mode('plan'),
      default: mode('default'),
      accepting_edits: mode('accepting_edits'),
      yolo: DEFAULT_SANDBOX_FILE.modes.yolo,
    },
    commands: new Map(checkedCommands),
  };
}

function checkMode(given: Record<string, unknown>, base: ModeSettings, name: string): ModeSettings {
  return {
    network: networkOf(given['network'] ?? base.network, `modes.${name}.network`),
    readonly: flag(given['readonly'] ?? base.readonly, `modes.${name}.readonly`),
    approvedTools: strings(given['approvedTools'] ?? base.approvedTools, `modes.${name}.approvedTools`),
    allowOverrides: flag(given['allowOverrides'] ?? base.allowOverrides, `modes.${name}.allowOverrides`),
  };
}

function networkOf(value: unknown, name: string): ModeSettings['network'] {
  return Array.isArray(value) ? strings(value, name) : flag(value, name);
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new Error(`${name} must be a table.`);
}

function flag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error(`${name} must be true or false.`);
}

function strings(value: unknown, name: string): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new Error(`${name} must be a list of strings.`);
}

/** Commands of a plugin as command files of this program. */

import { type PluginText, transformBody } from '../../../agents/definition/fix/transform-body.js';
import { type FrontMatter, parseFrontMatter, textField } from '../../../base/front-matter.js';
import { commandPart, freeName } from '../names.js';
import { MAX_TEXT_BYTES } from '../read/read-texts.js';
import type { ReportRow, SourceCommand } from '../types.js';
import { commandPrompt } from './command-prompt.js';
import { commandToml } from './command-toml.js';
import { notInserted, notSuppliedInText } from './variables.js';
import { fromZero } from './zero-based.js';

export interface CommandContext {
  textOf: (file: string) => PluginText;
  /** Replaces variables of the plugin's settings. */
  variables: (text: string) => string;
  /** From their keys to names of variables. */
  settings: ReadonlyMap<string, string>;
  /** A folder whose files a command cannot insert. */
  outside?: string;
  /** Lower case; a skill keeps the plain name. */
  skills: ReadonlySet<string>;
}

export interface ConvertedCommands {
  /** By path in `commands/`. */
  files: Map<string, string>;
  rows: ReportRow[];
}

const USED = new Set(['name', 'description', 'argument-hint', 'arguments']);
const LISTED_ONCE = ['allowed-tools', 'model'];

/** In Claude Code it takes tools away while the text is at work. */
export const LIMIT = 'disallowed-tools';
export const LIMIT_IS_LOST = `${LIMIT} is dropped: it takes no tools away here; use policy rules`;

export async function convertCommands(
  commands: readonly SourceCommand[],
  context: CommandContext,
): Promise<ConvertedCommands> {
  const files = new Map<string, string>();
  const rows: ReportRow[] = [];
  const taken = new Set<string>();
  for (const command of commands) {
    const header = await parseFrontMatter(command.text);
    const source = command.path;
    if (header.body.trim() === '') {
      rows.push({ action: 'skipped', kind: 'command', source, reason: 'it has no text' });
      continue;
    }
    const losses: string[] = header.problem ? [header.problem] : [];
    const wanted = pathOf(command.name, textField(header, 'name'));
    const name = freePath(wanted, taken, context.skills, losses);
    if (!isNamed(command.name, textField(header, 'name'), wanted))
      losses.push(`names have letters a-z, digits, "_", "-" and "." here: the command is ${shown(name)}`);
    taken.add(name.toLowerCase());
    const places = fromZero(withPlaces(header.body, argumentNames(header.data['arguments'])));
    const body = transformBody(places, context.textOf(source));
    const converted = commandPrompt(body, context.outside);
    const prompt = context.variables(converted.prompt);
    losses.push(...converted.losses, ...notInserted(body, context.settings), ...notSuppliedInText(prompt));
    if (/\bCLAUDE_SKILL_DIR\b/.test(body)) losses.push('CLAUDE_SKILL_DIR is not supplied here');
    if (writtenDescription(command, header).length > MAX_DESCRIPTION)
      losses.push(`its description is cut to ${MAX_DESCRIPTION} characters`);
    if (command.dropped && command.dropped.length > 0) losses.push(`dropped ${command.dropped.join(', ')}`);
    if (Object.hasOwn(header.data, LIMIT)) losses.push(LIMIT_IS_LOST);
    const dropped = Object.keys(header.data).filter((key) => !USED.has(key) && key !== LIMIT);
    const notes = dropped.filter((key) => LISTED_ONCE.includes(key));
    const others = dropped.filter((key) => !LISTED_ONCE.includes(key));
    if (others.length > 0) losses.push(`dropped ${others.map((key) => key.slice(0, 40)).join(', ')}`);
    const target = `commands/${name}.toml`;
    const toml = commandToml(descriptionOf(command, header), prompt);
    if (Buffer.byteLength(toml) > MAX_TEXT_BYTES) {
      rows.push({ action: 'skipped', kind: 'command', source, reason: 'it becomes larger than 1 MB' });
      continue;
    }
    files.set(`${name}.toml`, toml);
    const reason = notes.length > 0 ? `dropped ${notes.join(', ')}` : undefined;
    rows.push({ action: 'converted', kind: 'command', source, target, ...(reason && { reason }) });
    for (const loss of losses) rows.push({ action: 'warned', kind: 'command', source, target, reason: loss });
  }
  return { files, rows };
}

/** The name of the file decides; one in the header only if it has folders. */
function pathOf(fileName: string, headerName: string | undefined): string {
  const parts = headerName?.includes(':') ? headerName.split(':') : fileName.split('/');
  const own = commandPart(parts.at(-1) ?? '') || 'command';
  const folders = parts.slice(0, -1).map(commandPart);
  return [...folders.filter((part) => part !== ''), own].slice(-10).join('/');
}

function isNamed(fileName: string, headerName: string | undefined, path: string): boolean {
  return (
    path === fileName || (headerName?.includes(':') === true && path === headerName.replaceAll(':', '/'))
  );
}

function shown(path: string): string {
  return `/${path.replaceAll('/', ':')}`;
}

function freePath(
  wanted: string,
  taken: ReadonlySet<string>,
  skills: ReadonlySet<string>,
  losses: string[],
): string {
  const isSkill = skills.has(wanted.toLowerCase());
  const plain = isSkill ? `${wanted}-command` : wanted;
  const name = freeName(taken, [plain]);
  if (isSkill) losses.push(`a skill has the same name: the command is ${shown(name)}`);
  else if (name !== wanted) losses.push(`another command has the same name: this one is ${shown(name)}`);
  return name;
}

const MAX_DESCRIPTION = 1024;

function writtenDescription(command: SourceCommand, header: FrontMatter): string {
  return oneLine(command.description ?? textField(header, 'description') ?? '');
}

function descriptionOf(command: SourceCommand, header: FrontMatter): string {
  const firstLine = header.body.split('\n').find((line) => /^(?!\s*(?:`{3}|~{3})).*\w/.test(line)) ?? '';
  const written = writtenDescription(command, header) || oneLine(firstLine.replace(/^[#>*\s-]+/, ''));
  const text = written.slice(0, MAX_DESCRIPTION);
  const hint =
    hintOf(command.hint) || hintOf(header.data['argument-hint']) || hintOf(header.data['arguments']);
  return hint === '' ? text : `${text} ${hint}`.trim();
}

/** `arguments: [issue, branch]`, or a text with the names: `$branch` is the second one. */
export function argumentNames(value: unknown): (string | undefined)[] {
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[\s,]+/)
      : [];
  return items.map((item) => {
    const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : item;
    return typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) ? name : undefined;
  });
}

function withPlaces(body: string, names: readonly (string | undefined)[]): string {
  if (names.length === 0) return body;
  return body.replace(/(?<![\w$\\{])\$([A-Za-z_]\w*)/g, (whole, name: string) => {
    const place = names.indexOf(name);
    return place < 0 ? whole : `$ARGUMENTS[${place}]`;
  });
}

function hintOf(value: unknown): string {
  const items = Array.isArray(value) ? value : [value];
  const words = items.map((item) => {
    if (typeof item === 'string' || typeof item === 'number') return String(item);
    const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
    return typeof name === 'string' ? name : '';
  });
  const hint = oneLine(words.filter((word) => word !== '').join(' '));
  if (hint === '') return '';
  return /^\[[^[\]]*\]$/.test(hint) ? hint : `[${hint}]`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

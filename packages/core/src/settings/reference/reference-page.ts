/** Generates `docs/settings.md`: an introduction, then the tables. */
import { readFileSync } from 'node:fs';
import { kindsOf, type SettingDefinition } from '../schema/definition.js';
import { HOOK_GROUP } from '../schema/extensions-skills-hooks.js';
import { MCP_SERVER } from '../schema/mcp.js';
import { ROOT, SETTINGS } from '../schema/root.js';

export function settingsPage(): string {
  const intro = readFileSync(new URL('./reference-intro.md', import.meta.url), 'utf8').trimEnd();
  const entries = Object.entries(ROOT.properties ?? {});
  const sections = entries.filter(([, { properties }]) => properties);
  const single = entries.filter(([, { properties }]) => !properties);
  const rootTable = table(single.flatMap(([key, definition]) => rowsOf(key, definition)));
  const parts = sections.map(([key, definition]) => sectionPart(key, definition));
  return `${[intro, `### Root\n\n${rootTable}`, mcpPart(), ...parts].join('\n\n')}\n`;
}

interface Row {
  path: string;
  definition: SettingDefinition;
  /** Nothing reads it yet. */
  pending: boolean;
}

function sectionPart(key: string, definition: SettingDefinition): string {
  const rows = childRows(key, definition);
  const remark = rows.every(({ pending }) => pending) ? '\n\nAccepted, no effect yet.' : '';
  const about = /^\w+\.$/.test(definition.description) ? '' : `\n\n${definition.description}`;
  const fields = key === 'hooks' ? `\n\nFields of a group:\n\n${table(childRows('', HOOK_GROUP), true)}` : '';
  return `### ${key}${about}${remark}\n\n${table(rows, remark !== '')}${fields}`;
}

function mcpPart(): string {
  const title = `### mcpServers.&lt;name&gt;\n\n${MCP_SERVER.description}`;
  const remark = SETTINGS.mcpServers.pending ? '\n\nAccepted, no effect yet.' : '';
  return `${title}${remark}\n\n${table(childRows('', MCP_SERVER), true)}`;
}

function rowsOf(path: string, definition: SettingDefinition, isAbovePending = false): Row[] {
  const pending = isAbovePending || definition.pending === true;
  const below = childRows(path, definition, pending);
  const isGroup = definition.properties && kindsOf(definition).length === 1;
  return isGroup ? below : [{ path, definition, pending }, ...below];
}

function childRows(path: string, definition: SettingDefinition, pending = definition.pending): Row[] {
  const { properties, items } = definition;
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (properties)
    return Object.entries(properties).flatMap(([key, child]) => rowsOf(below(key), child, pending));
  // Shown in separate tables.
  if (!items || items === MCP_SERVER || items === HOOK_GROUP) return [];
  const isList = kindsOf(definition).includes('array');
  return childRows(isList ? `${path}[]` : `${path}.<name>`, items, pending);
}

function table(rows: readonly Row[], quiet = false): string {
  const lines = rows.map(({ path, definition, pending }) => {
    const effect = pending && !quiet ? ' *Accepted, no effect yet.*' : '';
    const restart = definition.restart ? ' *Restart.*' : '';
    const cells = [
      `\`${path}\``,
      typeText(definition),
      defaultText(definition),
      `${escapeCell(definition.description)}${fromText(definition)}${restart}${effect}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| Key | Type | Default | Effect |', '|---|---|---|---|', ...lines].join('\n');
}

function typeText(definition: SettingDefinition): string {
  const names = kindsOf(definition).map((kind) => {
    if (kind === 'enum') return (definition.values ?? []).map((value) => `\`${value}\``).join(', ');
    if (kind === 'array') return definition.items?.values ? `list of ${typeText(definition.items)}` : 'list';
    return TYPE_NAMES[kind];
  });
  return names.join(' or ');
}

const TYPE_NAMES = {
  boolean: 'true/false',
  number: 'number',
  string: 'text',
  object: 'object',
  any: 'anything',
} as const;

function defaultText({ default: value }: SettingDefinition): string {
  return value === undefined ? '' : `\`${escapeCell(JSON.stringify(value))}\``;
}

function fromText({ from }: SettingDefinition): string {
  if (from === 'system') return ' System files only.';
  return from === 'user_and_system' ? ' Not in workspace files.' : '';
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

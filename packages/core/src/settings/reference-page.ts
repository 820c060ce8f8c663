/** The page `docs/settings.md`: an introduction, then the tables in the words of their descriptions. */
import { readFileSync } from 'node:fs';
import { kindsOf, type SettingDefinition } from './schema/definition.js';
import { HOOK_GROUP } from './schema/extensions-skills-hooks.js';
import { IN_EFFECT, REMARKS } from './schema/in-effect.js';
import { MCP_SERVER } from './schema/mcp.js';
import { ROOT } from './schema/root.js';

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
}

function sectionPart(key: string, definition: SettingDefinition): string {
  const rows = childRows(key, definition);
  const remark = rows.every((row) => !isInEffect(row.path)) ? '\n\nAccepted, no effect yet.' : '';
  const about = /^\w+\.$/.test(definition.description) ? '' : `\n\n${definition.description}`;
  const fields = key === 'hooks' ? `\n\nFields of a group:\n\n${table(childRows('', HOOK_GROUP), true)}` : '';
  return `### ${key}${about}${remark}\n\n${table(rows, remark !== '')}${fields}`;
}

function mcpPart(): string {
  const title = `### mcpServers.&lt;name&gt;\n\n${MCP_SERVER.description}`;
  const remark = isInEffect('mcpServers') ? '' : '\n\nAccepted, no effect yet.';
  return `${title}${remark}\n\n${table(childRows('', MCP_SERVER), true)}`;
}

function rowsOf(path: string, definition: SettingDefinition): Row[] {
  const isGroup = definition.properties && kindsOf(definition).length === 1;
  return isGroup ? childRows(path, definition) : [{ path, definition }, ...childRows(path, definition)];
}

function childRows(path: string, definition: SettingDefinition): Row[] {
  const { properties, items } = definition;
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (properties) return Object.entries(properties).flatMap(([key, child]) => rowsOf(below(key), child));
  // Described in tables of their own.
  if (!items || items === MCP_SERVER || items === HOOK_GROUP) return [];
  const isList = kindsOf(definition).includes('array');
  return childRows(isList ? `${path}[]` : `${path}.<name>`, items);
}

function table(rows: readonly Row[], quiet = false): string {
  const lines = rows.map(({ path, definition }) => {
    const effect = quiet || definition.ignored || isInEffect(path) ? '' : ' *Accepted, no effect yet.*';
    const restart = definition.restart ? ' *Restart.*' : '';
    const cells = [
      `\`${path}\``,
      typeText(definition),
      defaultText(definition),
      `${escapeCell(definition.description)}${remark(path)}${fromText(definition)}${restart}${effect}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| Key | Type | Default | Effect |', '|---|---|---|---|', ...lines].join('\n');
}

function isInEffect(path: string): boolean {
  return IN_EFFECT.some((known) => path === known || path.startsWith(`${known}.`));
}

function remark(path: string): string {
  const text = Object.hasOwn(REMARKS, path) ? REMARKS[path] : undefined;
  return text === undefined ? '' : ` ${escapeCell(text)}`;
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

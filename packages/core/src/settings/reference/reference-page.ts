/** Generates `docs/settings.md`: an introduction, then the tables. */
import { readFileSync } from 'node:fs';
import { AGENT_SERVER } from '../schema/agents.js';
import { kindsOf, type SettingDefinition } from '../schema/definition.js';
import { HOOK_GROUP } from '../schema/extensions-skills-hooks.js';
import { MCP_SERVER } from '../schema/mcp.js';
import { ROOT } from '../schema/root.js';

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
  /** What it waits for. */
  pending: string | undefined;
  /** Why it has no effect. */
  ignored: string | undefined;
}

function sectionPart(key: string, definition: SettingDefinition): string {
  const rows = childRows(key, definition);
  const remark = definition.pending ? waitingRemark(definition.pending) : '';
  const about = /^\w+\.$/.test(definition.description) ? '' : `\n\n${definition.description}`;
  const fields = key === 'hooks' ? `\n\nFields of a group:\n\n${table(childRows('', HOOK_GROUP), true)}` : '';
  return `### ${key}${about}${remark}\n\n${table(rows, remark !== '')}${fields}`;
}

function mcpPart(): string {
  const title = `### mcpServers.&lt;name&gt;\n\n${MCP_SERVER.description}`;
  return `${title}\n\n${table(childRows('', MCP_SERVER), true)}`;
}

function waitingRemark(pending: string): string {
  return `\n\nAccepted, no effect yet: waits for ${pending}.`;
}

type Marks = Pick<Row, 'pending' | 'ignored'>;

function rowsOf(path: string, definition: SettingDefinition, above: Partial<Marks> = {}): Row[] {
  const marks = marksOf(definition, above);
  const below = childRows(path, definition, marks);
  const isGroup = definition.properties && kindsOf(definition).length === 1;
  return isGroup ? below : [{ path, definition, ...marks }, ...below];
}

function marksOf({ pending, ignored }: SettingDefinition, above: Partial<Marks> = {}): Marks {
  return { pending: above.pending ?? pending, ignored: above.ignored ?? ignored };
}

function childRows(path: string, definition: SettingDefinition, marks = marksOf(definition)): Row[] {
  const { properties, items } = definition;
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (properties)
    return Object.entries(properties).flatMap(([key, child]) => rowsOf(below(key), child, marks));
  // Shown in separate tables.
  if (!items || items === MCP_SERVER || items === AGENT_SERVER || items === HOOK_GROUP) return [];
  const isList = kindsOf(definition).includes('array');
  return childRows(isList ? `${path}[]` : `${path}.<name>`, items, marks);
}

function table(rows: readonly Row[], quiet = false): string {
  const lines = rows.map(({ path, definition, pending, ignored }) => {
    const effect = ignored
      ? ` *No effect: ${escapeCell(ignored)}.*`
      : pending && !quiet
        ? ` *No effect yet: waits for ${pending}.*`
        : '';
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

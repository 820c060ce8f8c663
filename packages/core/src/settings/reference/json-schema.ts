/** Converts the tables to a JSON Schema (draft 2020-12), for editors. */
import { AGENT_SERVER } from '../schema/agents.js';
import { kindsOf, type SettingDefinition, type SettingKind } from '../schema/definition.js';
import { HOOK_GROUP } from '../schema/extensions-skills-hooks.js';
import { MCP_SERVER } from '../schema/mcp.js';
import { ROOT } from '../schema/root.js';

export type JsonSchema = Record<string, unknown>;

/** Definitions used in several places. */
const SHARED: readonly [string, SettingDefinition][] = [
  ['mcpServer', MCP_SERVER],
  ['agentMcpServer', AGENT_SERVER],
  ['hookGroup', HOOK_GROUP],
];

export function settingsJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'settings.json of the gemini command',
    ...objectSchema(ROOT),
    description: ROOT.description,
    // Editors of the VS Code family understand these.
    allowTrailingCommas: true,
    $defs: {
      variable: {
        description: 'A text with an environment variable, which must give a fitting value.',
        type: 'string',
        pattern: '\\$(?:[A-Za-z_]|\\{)',
      },
      ...Object.fromEntries(SHARED.map(([name, definition]) => [name, describe(definition)])),
    },
  };
}

function schemaOf(definition: SettingDefinition): JsonSchema {
  const shared = SHARED.find(([, other]) => other === definition);
  return shared ? { $ref: `#/$defs/${shared[0]}` } : describe(definition);
}

function describe(definition: SettingDefinition): JsonSchema {
  const forms = kindsOf(definition).flatMap((kind) => formsOf(kind, definition));
  if (definition.shorthand !== undefined) forms.push({ type: 'boolean' });
  const [only] = forms;
  return {
    description: descriptionOf(definition),
    ...(definition.default === undefined ? {} : { default: definition.default }),
    ...(forms.length === 1 && only ? only : { anyOf: forms }),
  };
}

/** The value itself or, for types other than string, a variable that holds it. */
function formsOf(kind: SettingKind, definition: SettingDefinition): JsonSchema[] {
  const variable = { $ref: '#/$defs/variable' };
  const { values, pattern, minimum, maximum } = definition;
  switch (kind) {
    case 'boolean':
      return [{ type: 'boolean' }, variable];
    case 'number':
      return [{ type: 'number', ...without({ minimum, maximum }) }, variable];
    case 'enum':
      return [{ enum: values ?? [] }, variable];
    case 'string':
      return pattern === undefined ? [{ type: 'string' }] : [{ type: 'string', pattern }, variable];
    case 'array':
      return [{ type: 'array', items: definition.items ? schemaOf(definition.items) : { type: 'string' } }];
    case 'object':
      return [objectSchema(definition)];
    case 'any':
      return [{}];
  }
}

function objectSchema({ properties, items, open }: SettingDefinition): JsonSchema {
  const described = Object.entries(properties ?? {}).map(([key, child]) => [key, schemaOf(child)]);
  return {
    type: 'object',
    ...(properties ? { properties: Object.fromEntries(described) } : {}),
    additionalProperties: items ? schemaOf(items) : open === true,
  };
}

function descriptionOf({ description, restart, ignored, pending, from }: SettingDefinition): string {
  const remarks = [
    restart ? 'Takes effect after a restart.' : '',
    ignored ? `Has no effect: ${ignored}.` : '',
    pending ? `Has no effect yet: waits for ${pending}.` : '',
    from === 'system' ? 'System files only.' : '',
    from === 'user_and_system' ? 'Not in workspace files.' : '',
  ];
  return [description, ...remarks].filter((text) => text !== '').join(' ');
}

function without(values: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

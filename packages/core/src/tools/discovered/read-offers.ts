/** Reads the declarations that a discovery command printed, in any of their forms. */
import { isObject } from '../../base/objects.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { DISCOVERED_PREFIX, type OfferedTool } from './discovered-tool.js';

/** What Gemini accepts as a function name, with our prefix. */
const NAME = /^[\w.-]+$/;
const MAX_NAME = 64 - DISCOVERED_PREFIX.length;
const MAX_DEPTH = 50;

/** @returns the tools, and a description of each entry that is not one */
export function readOffers(printed: readonly unknown[]): { offers: OfferedTool[]; refused: string[] } {
  const offers = new Map<string, OfferedTool>();
  const refused: string[] = [];
  for (const entry of printed.flatMap(declarationsIn)) {
    const offer = readOffer(entry);
    // Same name twice: the last wins, as in the registry.
    if (offer) offers.set(offer.name, offer);
    else refused.push(shown(entry));
  }
  return { offers: [...offers.values()], refused };
}

/** An entry is a declaration, or an object with a list of them. */
function declarationsIn(entry: unknown): unknown[] {
  if (!isObject(entry)) return [entry];
  const list = entry['functionDeclarations'] ?? entry['function_declarations'];
  return Array.isArray(list) ? list : [entry];
}

function readOffer(entry: unknown): OfferedTool | undefined {
  if (!isObject(entry)) return undefined;
  const { name, description, parametersJsonSchema, parameters } = entry;
  if (typeof name !== 'string' || !NAME.test(name) || name.length > MAX_NAME) return undefined;
  const schema = parametersJsonSchema ?? parameters;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    schema: isObject(schema) ? jsonSchemaOf(schema) : { type: 'object', properties: {} },
  };
}

/** Google's own form of schemas has types in capitals; JSON Schema does not. */
function jsonSchemaOf(schema: Record<string, unknown>, depth = 0): JsonSchema {
  if (depth > MAX_DEPTH) return {};
  const inner = (value: unknown) => (isObject(value) ? jsonSchemaOf(value, depth + 1) : value);
  const { type, properties, items, anyOf } = schema;
  const read: Record<string, unknown> = { ...schema };
  if (typeof type === 'string') read['type'] = type.toLowerCase();
  if (isObject(properties))
    read['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, inner(value)]),
    );
  if (items !== undefined) read['items'] = inner(items);
  if (Array.isArray(anyOf)) read['anyOf'] = anyOf.map(inner);
  // Checked by ajv when the tool is called; a schema that cannot be used is passed over there.
  return read as JsonSchema;
}

function shown(entry: unknown): string {
  const name = isObject(entry) ? entry['name'] : entry;
  return JSON.stringify(name)?.slice(0, 80) ?? 'undefined';
}

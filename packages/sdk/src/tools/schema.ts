/** From a schema of any kind to JSON Schema for the model, and from arguments to what the action gets. */
import type { JsonSchemaObject, ToolSchema, Zod3Schema, Zod4Schema } from './schema-types.js';

export interface ReadSchema {
  json: JsonSchemaObject;
  isZod: boolean;
  /** Arguments with defaults and transformations applied; or what is wrong with them, for the model. */
  parse(value: unknown): Promise<Parsed>;
  /** The same for schemas that need not wait; a schema that does is checked when the tool runs. */
  parseNow(value: unknown): Parsed | undefined;
}

export type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

/** @throws TypeError where it is not a schema of an object */
export async function readSchema(schema: ToolSchema, owner: string): Promise<ReadSchema> {
  if (typeof (schema as unknown) !== 'object' || schema === null) throw notAnObject(owner);
  if (isZod4(schema)) {
    const { z } = await import('zod');
    const json = z.toJSONSchema(schema as never, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    const parser = schema as unknown as SafeParser;
    return {
      json: asObject(json, owner),
      isZod: true,
      parse: async (value) => resultOf(await z.safeParseAsync(schema as never, value)),
      parseNow: (value) => attempt(() => (parser.safeParse ? parser.safeParse(value) : undefined)),
    };
  }
  if (isZod3(schema)) {
    const { zod3ToJsonSchema } = await import('./zod3-schema.js');
    const parser = schema as unknown as SafeParser;
    return {
      json: asObject(zod3ToJsonSchema(schema), owner),
      isZod: true,
      parse: async (value) => resultOf((await parser.safeParseAsync?.(value)) ?? { success: false }),
      parseNow: (value) => attempt(() => parser.safeParse?.(value)),
    };
  }
  // The engine checks arguments against JSON Schema before a tool is built.
  const keep = (value: unknown): Parsed => ({ ok: true, value });
  const json = asObject(schema, owner);
  return { json, isZod: false, parse: async (value) => keep(value), parseNow: keep };
}

interface SafeParser {
  safeParse?(value: unknown): SafeResult;
  safeParseAsync?(value: unknown): Promise<SafeResult>;
}

interface SafeResult {
  success: boolean;
  data?: unknown;
  error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
}

/** Undefined: the schema has asynchronous parts. */
function attempt(parse: () => SafeResult | undefined): Parsed | undefined {
  try {
    const result = parse();
    return result && resultOf(result);
  } catch {
    return undefined;
  }
}

function resultOf({ success, data, error }: SafeResult): Parsed {
  if (success) return { ok: true, value: data };
  const problems = error?.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message,
  );
  return { ok: false, problem: problems?.join('; ') || 'The arguments do not fit.' };
}

function isZod4(schema: ToolSchema): schema is Zod4Schema {
  return '_zod' in schema;
}

function isZod3(schema: ToolSchema): schema is Zod3Schema {
  return '_def' in schema && 'safeParse' in schema && typeof schema.safeParse === 'function';
}

function asObject(value: unknown, owner: string): JsonSchemaObject {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'object')
    throw notAnObject(owner);
  const { $schema: _, ...schema } = value as Record<string, unknown>;
  return { ...schema, type: 'object' };
}

function notAnObject(owner: string): TypeError {
  return new TypeError(`${owner}: the schema must describe an object, e.g. z.object({ … }).`);
}

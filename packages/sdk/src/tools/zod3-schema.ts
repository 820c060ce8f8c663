/** JSON Schema from a schema of zod 3, which has no such function of its own. What it cannot express accepts anything. */

interface Definition {
  typeName?: string;
  description?: string;
  [part: string]: unknown;
}

type Json = Record<string, unknown>;

export function zod3ToJsonSchema(schema: unknown): Json {
  const definition = definitionOf(schema);
  const json = convert(definition);
  return definition.description === undefined ? json : { ...json, description: definition.description };
}

function convert(definition: Definition): Json {
  switch (definition.typeName) {
    case 'ZodString':
      return { type: 'string', ...stringChecks(definition) };
    case 'ZodNumber':
      return numberOf(definition);
    case 'ZodBigInt':
      return { type: 'integer' };
    case 'ZodBoolean':
      return { type: 'boolean' };
    case 'ZodNull':
      return { type: 'null' };
    case 'ZodDate':
      return { type: 'string', format: 'date-time' };
    case 'ZodLiteral':
      return { const: definition['value'] };
    case 'ZodEnum':
      return { type: 'string', enum: definition['values'] };
    case 'ZodNativeEnum':
      return { enum: enumValues(definition['values']) };
    case 'ZodArray':
      return arrayOf(definition);
    case 'ZodSet':
      return { type: 'array', uniqueItems: true, items: inner(definition, 'valueType') };
    case 'ZodTuple': {
      const items = Array.isArray(definition['items']) ? definition['items'].map(zod3ToJsonSchema) : [];
      return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
    }
    case 'ZodObject':
      return objectOf(definition);
    case 'ZodRecord':
      return { type: 'object', additionalProperties: inner(definition, 'valueType') };
    case 'ZodUnion':
      return { anyOf: options(definition['options']) };
    case 'ZodDiscriminatedUnion':
      return { oneOf: options(definition['options']) };
    case 'ZodIntersection':
      return { allOf: [inner(definition, 'left'), inner(definition, 'right')] };
    case 'ZodNullable':
      return { anyOf: [inner(definition, 'innerType'), { type: 'null' }] };
    case 'ZodDefault':
      return { ...inner(definition, 'innerType'), default: defaultOf(definition) };
    case 'ZodOptional':
    case 'ZodCatch':
    case 'ZodReadonly':
      return inner(definition, 'innerType');
    case 'ZodBranded':
      return inner(definition, 'type');
    case 'ZodEffects':
      return inner(definition, 'schema');
    case 'ZodPipeline':
      return inner(definition, 'in');
    default:
      return {};
  }
}

function objectOf(definition: Definition): Json {
  const { shape } = definition;
  const fields: Record<string, unknown> = typeof shape === 'function' ? shape() : {};
  const required = Object.keys(fields).filter((name) => !isOptional(definitionOf(fields[name])));
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, zod3ToJsonSchema(field)]),
    ),
    ...(required.length > 0 && { required }),
    ...(definition['unknownKeys'] === 'strict' && { additionalProperties: false }),
  };
}

function isOptional({ typeName, innerType, schema }: Definition): boolean {
  if (typeName === 'ZodOptional' || typeName === 'ZodDefault' || typeName === 'ZodCatch') return true;
  if (typeName === 'ZodNullable' || typeName === 'ZodReadonly') return isOptional(definitionOf(innerType));
  return typeName === 'ZodEffects' && isOptional(definitionOf(schema));
}

function arrayOf(definition: Definition): Json {
  const limit = (name: string) => valueIn(definition[name]);
  return {
    type: 'array',
    items: inner(definition, 'type'),
    ...given('minItems', limit('minLength') ?? limit('exactLength')),
    ...given('maxItems', limit('maxLength') ?? limit('exactLength')),
  };
}

function numberOf(definition: Definition): Json {
  const json: Json = { type: 'number' };
  for (const { kind, value, inclusive } of checksOf(definition)) {
    if (kind === 'int') json['type'] = 'integer';
    if (kind === 'min') json[inclusive ? 'minimum' : 'exclusiveMinimum'] = value;
    if (kind === 'max') json[inclusive ? 'maximum' : 'exclusiveMaximum'] = value;
    if (kind === 'multipleOf') json['multipleOf'] = value;
  }
  return json;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
};

function stringChecks(definition: Definition): Json {
  const json: Json = {};
  for (const { kind, value, regex } of checksOf(definition)) {
    if (kind === 'min' || kind === 'length') json['minLength'] = value;
    if (kind === 'max' || kind === 'length') json['maxLength'] = value;
    if (kind === 'regex' && regex) json['pattern'] = regex.source;
    const format = FORMATS[kind];
    if (format) json['format'] = format;
  }
  return json;
}

interface Check {
  kind: string;
  value?: number;
  inclusive?: boolean;
  regex?: RegExp;
}

function checksOf({ checks }: Definition): readonly Check[] {
  return Array.isArray(checks) ? checks : [];
}

/** Of a TypeScript enum: its numbers also have entries from value to name. */
function enumValues(values: unknown): unknown[] {
  if (typeof values !== 'object' || values === null) return [];
  const entries = Object.entries(values);
  return entries
    .filter(([name]) => typeof Reflect.get(values, Reflect.get(values, name)) !== 'number')
    .map(([, value]) => value);
}

function defaultOf({ defaultValue }: Definition): unknown {
  return typeof defaultValue === 'function' ? defaultValue() : undefined;
}

function options(list: unknown): Json[] {
  const all = list instanceof Map ? [...list.values()] : Array.isArray(list) ? list : [];
  return all.map(zod3ToJsonSchema);
}

function inner(definition: Definition, part: string): Json {
  return zod3ToJsonSchema(definition[part]);
}

function valueIn(limit: unknown): unknown {
  return typeof limit === 'object' && limit !== null && 'value' in limit ? limit.value : undefined;
}

function given(name: string, value: unknown): Json {
  return value === undefined ? {} : { [name]: value };
}

function definitionOf(schema: unknown): Definition {
  const isSchema = typeof schema === 'object' && schema !== null && '_def' in schema;
  const definition = isSchema ? schema._def : undefined;
  return isDefinition(definition) ? definition : {};
}

function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null;
}

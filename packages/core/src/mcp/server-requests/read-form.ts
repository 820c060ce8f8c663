/** Reads the schema of a form that a server sends. Everything in it is bounded; what cannot be asked is refused. */
import { isObject } from '../../base/objects.js';
import type { FormField, FormOption, TextFormField } from '../../protocol/elicitation.js';

const MAX_FIELDS = 50;
const MAX_OPTIONS = 200;
const MAX_TEXT = 2_000;
const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/** @returns what is wrong, as a string */
export function readForm(schema: unknown): FormField[] | string {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return 'the form has no fields';
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS) return `the form has more than ${MAX_FIELDS} fields`;
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const fields: FormField[] = [];
  for (const name of names) {
    const field = readField(name, properties[name], required.includes(name));
    if (!field) return `the field "${shorten(name)}" cannot be asked for`;
    fields.push(field);
  }
  return fields;
}

function readField(name: string, schema: unknown, required: boolean): FormField | undefined {
  if (!isObject(schema)) return undefined;
  const base = {
    name,
    title: textOf(schema['title']) ?? shorten(name),
    ...optional('description', textOf(schema['description'])),
    required,
  };
  const initial = schema['default'];
  switch (schema['type']) {
    case 'boolean':
      return { ...base, type: 'boolean', ...(typeof initial === 'boolean' && { initial }) };
    case 'number':
    case 'integer':
      return {
        ...base,
        type: 'number',
        isInteger: schema['type'] === 'integer',
        ...optional('minimum', numberOf(schema['minimum'])),
        ...optional('maximum', numberOf(schema['maximum'])),
        ...optional('initial', numberOf(initial)),
      };
    case 'string': {
      const options = readOptions(schema);
      if (!options) return { ...base, ...readText(schema) };
      const known = options.find(({ value }) => value === initial);
      return options.length > 0
        ? { ...base, type: 'choice', options, ...optional('initial', known?.value) }
        : undefined;
    }
    case 'array':
      return readChoices(base, schema);
    default:
      return undefined;
  }
}

function readText(schema: Record<string, unknown>): Omit<TextFormField, 'name' | 'title' | 'required'> {
  const { format } = schema;
  return {
    type: 'text',
    ...(FORMATS.includes(format) && { format: format as NonNullable<TextFormField['format']> }),
    ...optional('minLength', numberOf(schema['minLength'])),
    ...optional('maxLength', numberOf(schema['maxLength'])),
    ...optional('initial', textOf(schema['default'])),
  };
}

function readChoices(
  base: Pick<FormField, 'name' | 'title' | 'required'>,
  schema: Record<string, unknown>,
): FormField | undefined {
  const options = isObject(schema['items']) ? readOptions(schema['items']) : undefined;
  if (!options || options.length === 0) return undefined;
  const initial = Array.isArray(schema['default']) ? schema['default'] : [];
  const known = options.map(({ value }) => value).filter((value) => initial.includes(value));
  return {
    ...base,
    type: 'choices',
    options,
    ...optional('minItems', numberOf(schema['minItems'])),
    ...optional('maxItems', numberOf(schema['maxItems'])),
    ...(known.length > 0 && { initial: known }),
  };
}

/** `enum` with `enumNames`, or `oneOf` / `anyOf` with titles. Undefined: it is not a choice. */
function readOptions(schema: Record<string, unknown>): FormOption[] | undefined {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled))
    return titled.slice(0, MAX_OPTIONS).flatMap((item) => {
      const value = isObject(item) ? item['const'] : undefined;
      if (typeof value !== 'string') return [];
      return { value, label: (isObject(item) && textOf(item['title'])) || shorten(value) };
    });
  if (!Array.isArray(schema['enum'])) return undefined;
  const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  return schema['enum']
    .slice(0, MAX_OPTIONS)
    .flatMap((value, at) =>
      typeof value === 'string' ? { value, label: textOf(names[at]) ?? shorten(value) } : [],
    );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? shorten(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [Key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [Key in K]?: V });
}

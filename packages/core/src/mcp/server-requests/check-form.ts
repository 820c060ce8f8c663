/** Checks what the user has entered into the form of a server. */
import type {
  ChoicesFormField,
  FormField,
  FormValue,
  NumberFormField,
  TextFormField,
} from '../../protocol/elicitation.js';

/** @returns what is wrong with the value of one field; undefined: it fits */
export function formFieldProblem(field: FormField, value: FormValue | undefined): string | undefined {
  if (value === undefined || value === '') return field.required ? 'a value is needed' : undefined;
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'this is not a text';
    case 'number':
      return typeof value === 'number' ? numberProblem(field, value) : 'this is not a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'this is neither yes nor no';
    case 'choice':
      return field.options.some((option) => option.value === value) ? undefined : 'choose one of the list';
    case 'choices':
      return Array.isArray(value) ? choicesProblem(field, value) : 'choose from the list';
  }
}

/** The values of known fields, or the first problem as a string. */
export function checkedForm(
  fields: readonly FormField[],
  content: Readonly<Record<string, unknown>>,
): Record<string, FormValue> | string {
  const values = new Map<string, FormValue>();
  for (const field of fields) {
    const given = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const value = isFormValue(given) ? given : undefined;
    const problem = formFieldProblem(field, value);
    if (problem !== undefined) return `${field.title}: ${problem}`;
    if (value !== undefined && (value !== '' || field.required)) values.set(field.name, value);
  }
  return Object.fromEntries(values);
}

function isFormValue(value: unknown): value is FormValue {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

const SHAPES: Readonly<Record<NonNullable<TextFormField['format']>, [RegExp, string]>> = {
  email: [/^[^\s@]+@[^\s@]+$/, 'this is not an e-mail address'],
  uri: [/^[a-z][a-z0-9+.-]*:\S+$/i, 'this is not an address such as https://example.com'],
  date: [/^\d{4}-\d{2}-\d{2}$/, 'write the date as 2026-01-31'],
  'date-time': [/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, 'write date and time as 2026-01-31T12:00:00Z'],
};

function textProblem({ format, minLength, maxLength }: TextFormField, text: string): string | undefined {
  if (minLength !== undefined && text.length < minLength)
    return `at least ${minLength} characters are needed`;
  if (maxLength !== undefined && text.length > maxLength)
    return `at most ${maxLength} characters are allowed`;
  if (!format) return undefined;
  const [shape, problem] = SHAPES[format];
  const isDate = format === 'date' || format === 'date-time';
  return shape.test(text) && !(isDate && Number.isNaN(Date.parse(text))) ? undefined : problem;
}

function numberProblem({ isInteger, minimum, maximum }: NumberFormField, value: number): string | undefined {
  if (!Number.isFinite(value)) return 'this is not a number';
  if (isInteger && !Number.isInteger(value)) return 'a whole number is needed';
  if (minimum !== undefined && value < minimum) return `at least ${minimum} is needed`;
  if (maximum !== undefined && value > maximum) return `at most ${maximum} is allowed`;
  return undefined;
}

function choicesProblem(field: ChoicesFormField, values: readonly string[]): string | undefined {
  const { options, minItems = field.required ? 1 : 0, maxItems } = field;
  if (values.some((value) => !options.some((option) => option.value === value)))
    return 'choose from the list';
  if (values.length < minItems) return `choose at least ${minItems}`;
  if (maxItems !== undefined && values.length > maxItems) return `choose at most ${maxItems}`;
  return undefined;
}

/** What the user has entered into a server's form so far, as rows of the dialog. */
import {
  type ChoicesFormField,
  type FormField,
  type FormOption,
  type FormValue,
  formFieldProblem,
} from '@gemini-cli/core';

/** Texts and numbers as typed; undefined: nothing is entered. */
export type Draft = ReadonlyMap<string, string | boolean | readonly string[] | undefined>;

export type FormRow =
  | { kind: 'field'; field: Exclude<FormField, ChoicesFormField> }
  /** One entry of a list from which several may be chosen. */
  | { kind: 'option'; field: ChoicesFormField; option: FormOption }
  | { kind: 'submit' }
  | { kind: 'decline' };

export function rowsOf(fields: readonly FormField[]): FormRow[] {
  const rows = fields.flatMap((field): FormRow[] =>
    field.type === 'choices'
      ? field.options.map((option) => ({ kind: 'option', field, option }))
      : [{ kind: 'field', field }],
  );
  return [...rows, { kind: 'submit' }, { kind: 'decline' }];
}

export function draftOf(fields: readonly FormField[]): Draft {
  return new Map(
    fields.map((field) => [
      field.name,
      field.type === 'number' ? (field.initial?.toString() ?? '') : field.initial,
    ]),
  );
}

export function withValue(draft: Draft, name: string, value: string | boolean | readonly string[]): Draft {
  return new Map([...draft, [name, value]]);
}

/** The next value of a row that is chosen, not typed; undefined: its value is typed. */
export function stepped(row: FormRow, draft: Draft, step: 1 | -1): Draft | undefined {
  if (row.kind === 'option') {
    const { name, options } = row.field;
    const chosen = listOf(draft.get(name));
    const isChosen = chosen.includes(row.option.value);
    const next = options
      .map(({ value }) => value)
      .filter((value) => (value === row.option.value ? !isChosen : chosen.includes(value)));
    return withValue(draft, name, next);
  }
  if (row.kind !== 'field') return undefined;
  const { field } = row;
  if (field.type === 'boolean') return withValue(draft, field.name, draft.get(field.name) !== true);
  if (field.type !== 'choice') return undefined;
  const values = [...(field.required ? [] : ['']), ...field.options.map(({ value }) => value)];
  const now = draft.get(field.name) ?? (field.required ? undefined : '');
  const at = values.indexOf(String(now));
  const next = at < 0 ? (step > 0 ? 0 : values.length - 1) : (at + step + values.length) % values.length;
  return withValue(draft, field.name, values[next] ?? '');
}

/** What the server gets; fields without a value are left out. */
export function contentOf(fields: readonly FormField[], draft: Draft): Record<string, FormValue> {
  const entries = fields.flatMap((field): [string, FormValue][] => {
    const value = enteredValue(field, draft);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

/** The first field that cannot be sent, with the reason. */
export function problemIn(
  fields: readonly FormField[],
  draft: Draft,
): { field: FormField; problem: string } | undefined {
  for (const field of fields) {
    const problem = formFieldProblem(field, enteredValue(field, draft));
    if (problem !== undefined) return { field, problem };
  }
  return undefined;
}

function enteredValue(field: FormField, draft: Draft): FormValue | undefined {
  const value = draft.get(field.name);
  if (field.type === 'choices') {
    const chosen = [...listOf(value)];
    return chosen.length > 0 || field.required || field.minItems ? chosen : undefined;
  }
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined;
  const text = field.type === 'text' ? value : value.trim();
  if (text === '') return undefined;
  return field.type === 'number' ? Number(text) : text;
}

export function listOf(value: string | boolean | readonly string[] | undefined): readonly string[] {
  return typeof value === 'object' ? value : [];
}

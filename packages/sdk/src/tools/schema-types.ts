/** Schemas that tools and sub-agents accept, by their shape, so that any copy of zod fits. */

/** A schema of zod 4 (also `zod/mini`). */
export interface Zod4Schema<Output = unknown> {
  readonly _zod: { readonly output: Output };
}

/** A schema of zod 3. */
export interface Zod3Schema<Output = unknown> {
  readonly _output: Output;
  safeParse(data: unknown): unknown;
}

/** A JSON Schema, as an object. */
export interface JsonSchemaObject {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export type ToolSchema = Zod4Schema | Zod3Schema | JsonSchemaObject;

/** What an action gets: the output of a zod schema; with a JSON Schema, what was checked against it. */
export type InputOf<S> =
  S extends Zod4Schema<infer Output>
    ? Output
    : S extends Zod3Schema<infer Output>
      ? Output
      : Record<string, unknown>;

/** `tool()`: a function of the program that the model can call. */
import type { SessionContext } from '../context/types.js';
import type { InputOf, ToolSchema } from './schema-types.js';

export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'communicate'
  | 'other';

export interface ToolDefinition<S extends ToolSchema> {
  /** Letters, digits and `_`. The name of a built-in tool replaces that tool. */
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  /** A schema of zod 3 or 4, or a JSON Schema of an object. */
  inputSchema: S;
  /** Tools that only read (`read`, `search`, `fetch`) also run in plan mode. Default `other`. */
  kind?: ToolKind;
  /** Every error goes to the model, as if it were a `ModelVisibleError`. */
  sendErrorsToModel?: boolean;
  /** Asks before it runs; a text is the question. */
  confirm?: boolean | ((params: InputOf<S>) => boolean | string);
}

export type ToolAction<S extends ToolSchema> = (params: InputOf<S>, ctx: SessionContext) => unknown;

/** A tool, whatever its arguments. */
export interface AnyTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly kind: ToolKind;
  readonly sendErrorsToModel: boolean;
  /** False: it does not ask. @param params checked against the schema */
  confirmation(params: unknown): boolean | string;
  /** True: each call asks, or may ask. */
  readonly mayAsk: boolean;
  /** @param params checked against the schema */
  run(params: unknown, ctx: SessionContext): unknown;
}

export interface Tool<S extends ToolSchema = ToolSchema> extends AnyTool {
  readonly inputSchema: S;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** @throws TypeError for a name that no provider accepts */
export function tool<S extends ToolSchema>(definition: ToolDefinition<S>, action: ToolAction<S>): Tool<S> {
  const { name, description, inputSchema, kind = 'other', sendErrorsToModel = false, confirm } = definition;
  if (!NAME.test(name)) {
    throw new TypeError(
      `tool(): "${name}" cannot be the name of a tool; use up to 64 letters, digits and "_".`,
    );
  }
  if (typeof inputSchema !== 'object' || inputSchema === null)
    throw new TypeError(`tool("${name}"): inputSchema must be a zod schema or a JSON Schema.`);
  if (typeof action !== 'function') throw new TypeError(`tool("${name}"): the action is missing.`);
  return {
    name,
    description,
    inputSchema,
    kind,
    sendErrorsToModel,
    mayAsk: confirm !== undefined && confirm !== false,
    confirmation: (params) =>
      typeof confirm === 'function' ? confirm(params as InputOf<S>) : (confirm ?? false),
    run: (params, ctx) => action(params as InputOf<S>, ctx),
  };
}

/** True for what `tool()` made, also by another copy of this package. */
export function isTool(value: unknown): value is AnyTool {
  return (
    typeof value === 'object' &&
    value !== null &&
    'run' in value &&
    typeof value.run === 'function' &&
    'inputSchema' in value &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

/**
 * Checks arguments against a schema that is not ours: of an MCP server, an extension, an SDK user. All of JSON Schema
 * 2020-12 and draft 07, by ajv. Such a schema may be broken or hostile, and must neither end nor stop a session:
 * - Nothing is fetched. ajv is given no loader, so a reference to another document is a schema that cannot be used.
 * - A schema that cannot be used (broken, too large, slow to compile) is skipped: any object is accepted, and the
 *   tool has to check its arguments itself. Otherwise a mistake in one keyword would disable the tool.
 * - A check that takes too long (a catastrophic pattern, endless recursion) refuses the call.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { createLog } from '../../platform/log.js';
import { describeErrors } from './describe-errors.js';
import { type AjvLibrary, loadAjv } from './load-ajv.js';
import { runWithin } from './run-within.js';

/** Null when the value fits, else a sentence for the model. */
type Check = (value: unknown, limitMs: number) => string | null;

const MAX_NODES = 20_000;
const COMPILE_LIMIT_MS = 2_000;
const CHECK_LIMIT_MS = 1_000;
const DRAFT_07_OR_OLDER = /^https?:\/\/json-schema\.org\/draft-0\d\//;

const log = createLog('tools');
const checks = new WeakMap<object, Check>();

export function checkForeignArguments(
  schema: object,
  value: unknown,
  limitMs = CHECK_LIMIT_MS,
): string | null {
  let check = checks.get(schema);
  if (!check) {
    check = compileOrPassOver(schema);
    checks.set(schema, check);
  }
  return check(value, limitMs);
}

function compileOrPassOver(schema: object): Check {
  try {
    if (!isOfBoundedSize(schema)) throw new Error(`The schema has more than ${MAX_NODES} values.`);
    return timedCheck(runWithin(COMPILE_LIMIT_MS, () => compile(schema)));
  } catch (error) {
    log.debug('tool schema cannot be used; arguments are not checked', { reason: messageOf(error) });
    return (value) => (isObject(value) ? null : 'params must be an object');
  }
}

/** A schema without `$schema` is tried as the current draft first, then as draft 07. */
function compile(schema: object): ValidateFunction {
  const { $schema: draft, ...keywords } = schema as { $schema?: unknown };
  const library = loadAjv();
  if (typeof draft === 'string' && DRAFT_07_OR_OLDER.test(draft)) return compileAs('Ajv', library, keywords);
  try {
    return compileAs('Ajv2020', library, keywords);
  } catch (error) {
    if (draft !== undefined) throw error;
    return compileAs('Ajv', library, keywords);
  }
}

function compileAs(draft: 'Ajv' | 'Ajv2020', library: AjvLibrary, keywords: object): ValidateFunction {
  // An instance for each schema: an `$id` of one server must not be visible to the schema of another.
  const ajv = new library[draft]({
    allErrors: true,
    strict: false,
    // The meta-schema takes 20 times as long to compile; a keyword of the wrong type is refused without it.
    meta: false,
    validateSchema: false,
    logger: false,
    code: { regExp: lenientRegExp },
  });
  library.addFormats(ajv, { mode: 'fast' });
  return ajv.compile(keywords);
}

/** The standard asks for Unicode patterns, but servers write escapes that only the older kind allows. */
const lenientRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);

function timedCheck(validate: ValidateFunction): Check {
  return (value, limitMs) => {
    try {
      const errors = runWithin(limitMs, () => errorsOf(validate, value));
      return errors.length === 0 ? null : describeErrors(errors);
    } catch (error) {
      log.debug('arguments could not be checked', { reason: messageOf(error) });
      return 'params could not be checked against the schema of this tool in time. Try shorter or simpler arguments.';
    }
  };
}

function errorsOf(validate: ValidateFunction, value: unknown): ErrorObject[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Also false for a schema that contains itself. */
function isOfBoundedSize(schema: object): boolean {
  const queue: unknown[] = [schema];
  for (let count = 0; queue.length > 0; count++) {
    if (count + queue.length > MAX_NODES) return false;
    const item = queue.pop();
    if (typeof item === 'object' && item !== null) for (const inner of Object.values(item)) queue.push(inner);
  }
  return true;
}

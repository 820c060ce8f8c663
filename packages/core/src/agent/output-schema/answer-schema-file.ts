/** Reads and compiles the file of `--output-schema`; never fetches anything. */
import { FatalInputError, messageOf } from '../../base/errors.js';
import { isObject, objectOf } from '../../base/objects.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { findEndlessRef } from './endless-ref.js';

/** The problems of a value, one sentence each; empty: it fits. */
export type CompiledSchema = (value: unknown) => string[];

type Schema = Record<string, unknown>;

interface SchemaError {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

interface Validator {
  (value: unknown): boolean;
  errors?: SchemaError[] | null;
}

type ValidatorClass = new (options: object) => { compile(schema: Schema): Validator };

const SIZE_LIMIT = 1024 * 1024;
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

export function readSchemaFile(path: string): Schema {
  let text: string;
  try {
    text = readFileBytes(path, { limit: SIZE_LIMIT })
      .bytes.toString('utf8')
      .replace(/^\ufeff/, '');
  } catch (error) {
    throw refusal(path, `it cannot be read: ${messageOf(error)}`, error);
  }
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw refusal(path, `it is not JSON: ${messageOf(error)}`, error);
  }
  if (!isObject(schema)) throw refusal(path, 'it is not a JSON object.');
  return schema;
}

export async function compileSchema(schema: Schema, path: string): Promise<CompiledSchema> {
  const SchemaCompiler = await validatorFor(schema, path);
  let validate: Validator;
  let endless: string | undefined;
  try {
    endless = findEndlessRef(schema);
    // Unknown keywords are annotations; formats, by the standard, do not constrain.
    validate = new SchemaCompiler({
      allErrors: true,
      strict: false,
      validateFormats: false,
      logger: false,
    }).compile(schema);
  } catch (error) {
    const missing = missingReference(error);
    throw missing === undefined
      ? refusal(path, `it is not a JSON Schema: ${messageOf(error)}`, error)
      : refusal(path, `the reference "${missing}" is not within the file, and nothing is fetched.`, error);
  }
  if (endless) throw refusal(path, `the reference "${endless}" leads back to itself.`);
  return (value) => problemsOf(validate, value);
}

async function validatorFor(schema: Schema, path: string): Promise<ValidatorClass> {
  const draft = schema['$schema'];
  if (draft === undefined || (typeof draft === 'string' && draft.replace(/#$/, '') === DRAFT_2020)) {
    return classIn(await import('ajv/dist/2020.js'));
  }
  if (typeof draft === 'string' && DRAFT_07.test(draft)) return classIn(await import('ajv'));
  throw refusal(path, `"$schema" is ${JSON.stringify(draft)}; only drafts 2020-12 and 07 are known.`);
}

/** CommonJS: depending on the loader, the class is the default export or inside it. */
function classIn(module: { default: unknown }): ValidatorClass {
  const { default: outer } = module;
  return (typeof outer === 'function' ? outer : (outer as { default: unknown }).default) as ValidatorClass;
}

function missingReference(error: unknown): string | undefined {
  const { missingRef } = objectOf(error);
  return typeof missingRef === 'string' ? missingRef : undefined;
}

function problemsOf(validate: Validator, value: unknown): string[] {
  try {
    if (validate(value)) return [];
  } catch (error) {
    // Stack overflow: a recursive schema on an endlessly nested answer.
    return [`It cannot be checked: ${messageOf(error)}`];
  }
  const problems = (validate.errors ?? []).map(describe);
  return problems.length > 0 ? [...new Set(problems)] : ['It does not fit.'];
}

function describe({ instancePath, message = 'does not fit', params }: SchemaError): string {
  const { allowedValues, allowedValue, additionalProperty, unevaluatedProperty } = params;
  const extra = additionalProperty ?? unevaluatedProperty;
  const detail = Array.isArray(allowedValues)
    ? `: ${allowedValues.map((item) => JSON.stringify(item)).join(', ')}`
    : allowedValue !== undefined
      ? `: ${JSON.stringify(allowedValue)}`
      : extra !== undefined
        ? `: "${extra}"`
        : '';
  return `${instancePath || 'The value'} ${message}${detail}`;
}

function refusal(path: string, reason: string, cause?: unknown): FatalInputError {
  return new FatalInputError(`The schema ${path} (--output-schema) cannot be used: ${reason}`, cause);
}

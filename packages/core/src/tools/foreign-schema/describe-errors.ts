/** Turns ajv's errors into sentences that tell the model which argument to change. */
import type { ErrorObject } from 'ajv';

const MAX_SENTENCES = 3;
const MAX_VALUES = 20;
const LONGEST = 1_000;

export function describeErrors(errors: readonly ErrorObject[]): string {
  const sentences = [...new Set(sentencesFor(errors))];
  const shown = sentences.slice(0, MAX_SENTENCES).join('; ');
  const text = shown === '' ? 'params do not fit the schema of this tool' : shown;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** ajv reports every alternative of a union; only errors of the alternative that was meant help, if that is known. */
function sentencesFor(errors: readonly ErrorObject[]): string[] {
  const [union] = errors
    .filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
    .sort((a, b) => a.instancePath.length - b.instancePath.length);
  if (!union) return errors.map(sentenceFor);
  const inside = errors.filter((error) => error !== union && isAtOrBelow(error, union));
  const outside = errors.filter((error) => error !== union && !isAtOrBelow(error, union));
  return [...sentencesFor(outside), ...sentencesForUnion(union, inside)];
}

function sentencesForUnion(union: ErrorObject, errors: readonly ErrorObject[]): string[] {
  const where = pathOf(union.instancePath);
  if (errors.length === 0) {
    const what = Array.isArray(union.params['passingSchemas']) ? 'more than one' : 'none';
    return [`${where} matches ${what} of the alternatives in the schema`];
  }
  const alternatives = [...groupByAlternative(errors).values()];
  const meant = alternatives.filter((group) => !group.some((error) => tellsAlternativesApart(error, union)));
  const [only] = meant;
  if (only && meant.length === 1) return sentencesFor(only);
  return (
    sentenceForDiscriminators(errors) ?? [
      `${where} must match one of: ${alternatives.map(summary).join(' | ')}`,
    ]
  );
}

/** A discriminator (`kind: "circle"`) or the type of the whole value shows that another alternative was meant. */
function tellsAlternativesApart({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  return (
    keyword === 'const' || keyword === 'enum' || (keyword === 'type' && instancePath === union.instancePath)
  );
}

/** No alternative has the given discriminator: lists those that exist. */
function sentenceForDiscriminators(errors: readonly ErrorObject[]): string[] | undefined {
  const discriminators = errors.filter(({ keyword }) => keyword === 'const');
  const [path, ...others] = new Set(discriminators.map(({ instancePath }) => instancePath));
  if (path === undefined || others.length > 0) return undefined;
  return [
    `${pathOf(path)} must be one of ${list(discriminators.map(({ params }) => params['allowedValue']))}`,
  ];
}

/** Groups by the path in the schema: the index in the union, or the definition it refers to. */
function groupByAlternative(errors: readonly ErrorObject[]): Map<string, ErrorObject[]> {
  const groups = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const [key = ''] =
      /^(?:#\/(?:\$defs|definitions)\/[^/]+|.*?\/(?:oneOf|anyOf)\/\d+)/.exec(error.schemaPath) ?? [];
    groups.set(key, [...(groups.get(key) ?? []), error]);
  }
  return groups;
}

function summary(errors: readonly ErrorObject[]): string {
  return errors.slice(0, 2).map(sentenceFor).join(' and ');
}

function sentenceFor({ keyword, instancePath, message = 'does not fit', params }: ErrorObject): string {
  const path = pathOf(instancePath);
  switch (keyword) {
    case 'enum':
      return `${path} must be one of ${list(params['allowedValues'])}`;
    case 'const':
      return `${path} must be ${JSON.stringify(params['allowedValue'])}`;
    case 'additionalProperties':
      return `${path} must not have the property '${params['additionalProperty']}'`;
    case 'unevaluatedProperties':
      return `${path} must not have the property '${params['unevaluatedProperty']}'`;
    default:
      return `${path} ${message}`;
  }
}

function list(values: unknown): string {
  const all = Array.isArray(values) ? [...new Set(values.map((value) => JSON.stringify(value)))] : [];
  const more = all.length > MAX_VALUES ? ` and ${all.length - MAX_VALUES} more` : '';
  return all.slice(0, MAX_VALUES).join(', ') + more;
}

/** `/filter/tags/0` is `params.filter.tags[0]`, as in the messages of the built-in tools. */
function pathOf(instancePath: string): string {
  const steps = instancePath.split('/').slice(1);
  return `params${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${unescapePointer(step)}`)).join('')}`;
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function isAtOrBelow({ instancePath }: ErrorObject, union: ErrorObject): boolean {
  return instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`);
}

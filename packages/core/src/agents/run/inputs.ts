/** Inputs of a run: where a caller's prompt goes, and what the placeholders of a definition become. */

import { ModelError } from '../../base/errors.js';
import { objectOf } from '../../base/objects.js';
import type { AgentDefinition, AgentInputs, InputConfig, PromptConfig } from '../types.js';

const DEFAULT_INPUT = 'prompt';
const DEFAULT_QUERY = 'Get Started!';

/** The inputs of a call by `invoke_agent`: its prompt is the agent's only input, or `prompt`. */
export function inputsOf({ inputConfig }: Pick<AgentDefinition, 'inputConfig'>, prompt: string): AgentInputs {
  const names = Object.keys(typesOf(inputConfig));
  const [only = DEFAULT_INPUT] = names;
  return { [names.length === 1 ? only : DEFAULT_INPUT]: prompt };
}

/** @throws ModelError naming every input that is missing or has the wrong type */
export function checkInputs(
  { name, inputConfig }: Pick<AgentDefinition, 'name' | 'inputConfig'>,
  inputs: AgentInputs,
): void {
  const problems = Object.entries(typesOf(inputConfig)).flatMap(([input, { type, required }]) => {
    const value = inputs[input];
    if (value === undefined) return required ? [`"${input}" is missing`] : [];
    return type === undefined || hasType(type, value) ? [] : [`"${input}" must be ${type}`];
  });
  if (problems.length > 0) throw new ModelError(`Inputs of the agent "${name}": ${problems.join('; ')}.`);
}

/** `${name}` becomes the value of that name, each placeholder once; unknown ones stay. */
export function fillTemplate(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? asText(values[name]) : whole,
  );
}

/** The first message. A prompt that no placeholder takes up is the message itself, so that it is never lost. */
export function queryOf({ systemPrompt = '', query }: PromptConfig, inputs: AgentInputs): string {
  const template = query?.trim() ? query : undefined;
  const isUsed = Object.keys(inputs).some((name) =>
    `${systemPrompt}${template ?? ''}`.includes(`\${${name}}`),
  );
  const said = isUsed ? [] : Object.values(inputs).map(asText).filter(Boolean);
  const text = template === undefined ? undefined : fillTemplate(template, inputs);
  return [text, ...said].filter((part) => part !== undefined).join('\n\n') || DEFAULT_QUERY;
}

interface InputType {
  type: string | undefined;
  required: boolean;
}

function typesOf({ inputs, inputSchema }: InputConfig): Record<string, InputType> {
  if (inputs) return inputs;
  const required = Array.isArray(inputSchema?.['required']) ? inputSchema['required'] : [];
  const entries = Object.entries(objectOf(inputSchema?.['properties'])).map(([name, schema]) => {
    const { type } = objectOf(schema);
    return [name, { type: typeof type === 'string' ? type : undefined, required: required.includes(name) }];
  });
  return Object.fromEntries(entries);
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'string[]':
    case 'number[]':
      return Array.isArray(value) && value.every((item) => typeof item === type.slice(0, -2));
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : (JSON.stringify(value) ?? '');
}

/** The output that a definition asks for: its schema for the model, the check of a value, and the text of the result. */

import type { FinalAnswerCheck } from '../../agent/chat/final-answer-check.js';
import { PlainAnswers } from '../../agent/chat/final-answer-check.js';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import type { TaskOutput, TaskReceiver } from '../../tools/complete-task/complete-task.js';
import { SchemaValidator } from '../../tools/schema-validator.js';
import type { LocalAgentDefinition } from '../types.js';

/** Receives the result, and ends the loop when it is there. */
export class TaskResult extends PlainAnswers implements TaskReceiver, FinalAnswerCheck {
  private value: { text: string } | undefined;

  constructor(
    readonly output: TaskOutput | undefined,
    private readonly toText: (value: unknown) => string,
    private readonly review: LocalAgentDefinition['reviewOutput'],
  ) {
    super();
  }

  get text(): string | undefined {
    return this.value?.text;
  }

  /** The first result counts: a second call in the same turn does not replace it. */
  async complete(value: unknown): Promise<string | undefined> {
    const text = this.toText(value);
    const problem = this.value ? undefined : await this.review?.(text);
    if (problem === undefined) this.value ??= { text };
    return problem;
  }

  isDone(): boolean {
    return this.value !== undefined;
  }
}

export async function taskResultOf(definition: LocalAgentDefinition): Promise<TaskResult> {
  const { outputConfig, processOutput, reviewOutput } = definition;
  const write = (value: unknown): string => {
    if (processOutput) return processOutput(value as never);
    return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  };
  if (!outputConfig) return new TaskResult(undefined, write, reviewOutput);
  const { outputName: name, description, schema } = outputConfig;
  if (!isZod(schema)) {
    const json = schema as JsonSchema;
    return new TaskResult(
      { name, description, schema: json, check: (value) => named(name, checkJson(json, value)) },
      write,
      reviewOutput,
    );
  }
  const { toJSONSchema } = await import('./zod-json-schema.js');
  const json = toJSONSchema(schema as never, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { $schema: _, ...declared } = json as JsonSchema & { $schema?: string };
  const parsed = (value: unknown) => {
    try {
      return schema.safeParse(value);
    } catch (error) {
      // Code of the definition: a refinement may throw.
      return { success: false as const, error: { issues: [{ path: [], message: messageOf(error) }] } };
    }
  };
  return new TaskResult(
    {
      name,
      description,
      schema: declared,
      check: (value) => {
        const result = parsed(value);
        if (result.success) return null;
        return result.error.issues
          .slice(0, MAX_ISSUES)
          .map(({ path, message }) => `params.${[name, ...path].join('.')}: ${message}`)
          .join('\n');
      },
    },
    (value) => {
      const result = parsed(value);
      return write(result.success ? result.data : value);
    },
    reviewOutput,
  );
}

const MAX_ISSUES = 20;

interface ZodLike {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: unknown }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

function isZod(schema: unknown): schema is ZodLike {
  return isObject(schema) && typeof schema['safeParse'] === 'function';
}

function checkJson(schema: JsonSchema, value: unknown): string | null {
  return SchemaValidator.validate(
    { type: 'object', properties: { value: schema }, required: ['value'] },
    { value },
    true,
  );
}

/** The check wraps the value, so its messages name `params.value`. */
function named(name: string, problem: string | null): string | null {
  return problem?.replaceAll('params.value', `params.${name}`) ?? null;
}

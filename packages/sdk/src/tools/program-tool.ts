/** A tool of the program as the engine calls it. Loaded with the first session. */
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  FatalToolExecutionError,
  isObject,
  Kind,
  type MessageBus,
  messageOf,
  type ToolCallConfirmationDetails,
  ToolErrorType,
  type ToolResult,
  toolFailure,
} from '@gemini-cli/core';
import type { Part } from '@gemini-cli/core/protocol';
import type { SessionContext } from '../context/types.js';
import { untilAborted } from '../context/until-aborted.js';
import { jsonWithin } from './result-json.js';
import type { ReadSchema } from './schema.js';
import type { AnyTool } from './tool.js';

export interface ReadTool {
  tool: AnyTool;
  schema: ReadSchema;
}

export interface ToolPorts {
  context(signal: AbortSignal): SessionContext;
  /** A tool threw what is not for the model: the prompt fails with it. */
  onFailure(error: unknown): void;
}

type Params = Record<string, unknown>;

/** Rules ask for calls with this annotation. */
export const ASKS = { asks: true };

/** More than this is a mistake, and would only fill memory and disk. */
const MAX_RESULT_CHARACTERS = 10 * 1024 * 1024;

export class SdkTool extends BaseDeclarativeTool<Params, ToolResult> {
  override readonly hasForeignSchema = true;

  constructor(
    private readonly read: ReadTool,
    private readonly ports: ToolPorts,
    bus: MessageBus,
  ) {
    const { tool, schema } = read;
    const { name, description, kind } = tool;
    super(name, name, description, KINDS[kind], schema.json as never, bus, false);
  }

  /** By the program's schema, so that the program's own messages reach the model. */
  override validateToolParams(params: Params): string | null {
    if (!this.read.schema.isZod) return super.validateToolParams(params);
    const parsed = this.read.schema.parseNow(params);
    return parsed === undefined || parsed.ok ? null : parsed.problem;
  }

  override annotationsFor(params: Readonly<Params>): Record<string, unknown> | undefined {
    return this.read.tool.mayAsk && questionOf(this.read, params) !== false ? ASKS : undefined;
  }

  protected createInvocation(params: Params, bus: MessageBus) {
    return new SdkInvocation(this.read, this.ports, params, bus);
  }
}

class SdkInvocation extends BaseToolInvocation<Params, ToolResult> {
  constructor(
    private readonly read: ReadTool,
    private readonly ports: ToolPorts,
    params: Params,
    bus: MessageBus,
  ) {
    super(params, bus, read.tool.name, read.tool.name);
  }

  getDescription(): string {
    return shorten(JSON.stringify(this.params));
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const question = questionOf(this.read, this.params);
    return {
      type: 'info',
      title: `Confirm: ${this.read.tool.name}`,
      prompt: typeof question === 'string' ? question : this.getDescription(),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  async run({ abortSignal }: { abortSignal: AbortSignal }): Promise<ToolResult> {
    const { tool, schema } = this.read;
    const parsed = await schema.parse(this.params);
    if (!parsed.ok) return toolFailure(parsed.problem, ToolErrorType.INVALID_TOOL_PARAMS);
    try {
      const action = (async () => tool.run(parsed.value, this.ports.context(abortSignal)))();
      return resultOf(tool.name, await untilAborted(action, abortSignal));
    } catch (error) {
      if (abortSignal.aborted) throw error;
      if (tool.sendErrorsToModel || isForModel(error))
        return toolFailure(messageOf(error), ToolErrorType.EXECUTION_FAILED);
      this.ports.onFailure(error);
      throw new FatalToolExecutionError(`The tool "${tool.name}" failed: ${messageOf(error)}`, error);
    }
  }
}

/** By the name, because the program may have another copy of this package. */
function isForModel(error: unknown): boolean {
  return error instanceof Error && error.name === 'ModelVisibleError';
}

/** A check that fails asks. */
function questionOf({ tool, schema }: ReadTool, params: Readonly<Params>): boolean | string {
  try {
    const parsed = schema.parseNow(params);
    return tool.confirmation(parsed?.ok ? parsed.value : params);
  } catch {
    return true;
  }
}

function resultOf(name: string, value: unknown): ToolResult {
  if (isParts(value))
    return sizeOf(value) > MAX_RESULT_CHARACTERS
      ? tooLarge(name)
      : { llmContent: value, returnDisplay: textOf(value) };
  try {
    const text = typeof value === 'string' ? value : jsonWithin(MAX_RESULT_CHARACTERS, value);
    return text === undefined || text.length > MAX_RESULT_CHARACTERS
      ? tooLarge(name)
      : { llmContent: text, returnDisplay: text };
  } catch (error) {
    const why = messageOf(error).split('\n')[0];
    const problem = `The tool "${name}" ran, but its result cannot be written as JSON: ${why}`;
    return toolFailure(problem, ToolErrorType.EXECUTION_FAILED);
  }
}

function tooLarge(name: string): ToolResult {
  const problem = `The tool "${name}" ran, but its result is too large; 10 MB are possible.`;
  return toolFailure(problem, ToolErrorType.EXECUTION_FAILED);
}

function isParts(value: unknown): value is Part | Part[] {
  const list = Array.isArray(value) ? value : [value];
  return (
    list.length > 0 &&
    list.every((item: unknown) => isObject(item) && isPart(item) && Object.keys(item).length === 1)
  );
}

/** Everything else that looks like one is JSON of the program. */
function isPart({ text, inlineData, fileData }: Record<string, unknown>): boolean {
  if (isObject(inlineData))
    return typeof inlineData['mimeType'] === 'string' && typeof inlineData['data'] === 'string';
  return typeof text === 'string' || (isObject(fileData) && typeof fileData['fileUri'] === 'string');
}

function sizeOf(value: Part | Part[]): number {
  return listOf(value).reduce(
    (sum, { text = '', inlineData }) => sum + text.length + (inlineData?.data.length ?? 0),
    0,
  );
}

function listOf(value: Part | Part[]): Part[] {
  return Array.isArray(value) ? value : [value];
}

function textOf(value: Part | Part[]): string {
  const parts = listOf(value);
  return parts.map(({ text, inlineData }) => text ?? `(${inlineData?.mimeType ?? 'a file'})`).join('\n');
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const KINDS: Readonly<Record<AnyTool['kind'], Kind>> = {
  read: Kind.Read,
  edit: Kind.Edit,
  delete: Kind.Delete,
  move: Kind.Move,
  search: Kind.Search,
  execute: Kind.Execute,
  think: Kind.Think,
  fetch: Kind.Fetch,
  communicate: Kind.Communicate,
  other: Kind.Other,
};

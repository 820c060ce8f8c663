/**
 * The contract of all tools: a declarative tool validates arguments and builds an invocation; an
 * invocation says what it will do, asks if it must, and does it.
 */

import { DENIED_BY_POLICY } from '../base/unrun-calls.js';
import type { MessageBus } from '../bus/message-bus.js';
import {
  type Containment,
  MessageBusType,
  PolicyDecision,
  type PolicyUpdateOptions,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolEditConfirmationDetails,
} from '../protocol/confirmation.js';
import type { PartListUnion } from '../protocol/messages.js';
import type { McpToolContext } from '../protocol/tool-calls.js';
import { type FunctionDeclaration, type JsonSchema, Kind } from '../protocol/tool-declaration.js';
import type { LiveOutput, ToolResultDisplay } from '../protocol/tool-display.js';
import { wordsFor } from './describe-tool.js';
import { SchemaValidator } from './schema-validator.js';
import { ToolCallError, ToolErrorType } from './tool-error.js';

export { type FunctionDeclaration, Kind };

/** Kinds with side effects. */
export const MUTATOR_KINDS: readonly Kind[] = [Kind.Edit, Kind.Delete, Kind.Move, Kind.Execute];
const READ_ONLY_KINDS: readonly Kind[] = [Kind.Read, Kind.Search, Kind.Fetch];

export interface ToolLocation {
  path: string;
  line?: number;
}

export interface ToolResult {
  /** For the model's history. */
  llmContent: PartListUnion;
  /** For the user. */
  returnDisplay: ToolResultDisplay;
  /** Present when the call failed; `message` goes to the model, `shown` to the user where it differs. */
  error?: { message: string; type?: ToolErrorType; shown?: string };
  display?: { name: string; description?: string; resultSummary?: string; result?: string; format?: string };
  data?: Record<string, unknown>;
  /** Run this tool next under the same call id and return its result instead. */
  tailToolCallRequest?: { name: string; args: Record<string, unknown> };
  /** Of a contained call: the user wants it run again without containment. */
  runAgainUncontained?: boolean;
}

export interface ExecuteOptions {
  abortSignal: AbortSignal;
  updateOutput?: (output: LiveOutput) => void;
  /** The id of the call; absent for callers without a scheduler. */
  callId?: string;
  /** Called with the id of a started process, so that a front end can focus it. */
  setExecutionIdCallback?: (id: number) => void;
  /** Set for a shell command that the user was not asked about: run it contained like this, or not at all. */
  containment?: Containment;
}

export interface ToolInvocation<TParams extends object, TResult extends ToolResult> {
  params: TParams;
  getDescription(): string;
  toolLocations(): ToolLocation[];
  /**
   * False: run. Details: ask the user. Throws when policy denies.
   * @param forcedDecision what policy has decided already; the scheduler passes it, so that policy is asked once
   */
  shouldConfirmExecute(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<ToolCallConfirmationDetails | false>;
  /** Called with the options, or in the older form with the signal and `updateOutput`. */
  execute(first: ExecuteOptions | AbortSignal, updateOutput?: (output: LiveOutput) => void): Promise<TResult>;
}

/** Most subclasses of `BaseToolInvocation` implement this and do not override `execute`. */
interface RunnableInvocation<TResult extends ToolResult> {
  /** What the tool does. Called once, with the validated parameters in `this.params`. */
  run(options: ExecuteOptions): Promise<TResult>;
}

/** An invocation whose proposal the user may rewrite before it runs. */
export interface ModifiableInvocation {
  /** The arguments of a call that makes `content` the whole content of the file shown in `details`. */
  argsForContent(content: string, details: ToolEditConfirmationDetails): Record<string, unknown>;
}

export interface ToolBuilder<TParams extends object, TResult extends ToolResult> {
  name: string;
  displayName: string;
  description: string;
  kind: Kind;
  schema: FunctionDeclaration;
  isOutputMarkdown: boolean;
  canUpdateOutput: boolean;
  build(params: TParams): ToolInvocation<TParams, TResult>;
}

/** Thrown by `shouldConfirmExecute` when policy says no. */
export class ToolDeniedError extends ToolCallError {
  override readonly name = 'ToolDeniedError';
  constructor(toolName: string, reason?: string) {
    super(ToolErrorType.POLICY_VIOLATION, `${DENIED_BY_POLICY} ${reason || `Tool: ${toolName}.`}`);
  }
}

/** A subclass implements `run(options)`, or overrides `execute(signal, updateOutput)`. */
export abstract class BaseToolInvocation<TParams extends object, TResult extends ToolResult>
  implements ToolInvocation<TParams, TResult>
{
  private denialReason: string | undefined;
  /** What an "always" answer to the last question would allow. */
  private always: PolicyUpdateOptions | undefined;
  /** Policy's containment, kept for callers without a scheduler. */
  private ownContainment: Containment | undefined;
  /** The tool's annotations, which rules may match. Set by the tool that built the call. */
  toolAnnotations?: Readonly<Record<string, unknown>>;

  constructor(
    readonly params: TParams,
    protected readonly messageBus: MessageBus,
    readonly _toolName?: string,
    readonly _toolDisplayName?: string,
    readonly _serverName?: string,
  ) {
    const overridden = this.execute;
    if (overridden === BaseToolInvocation.prototype.execute) return;
    this.execute = (first, updateOutput) => {
      const options = optionsOf(first, updateOutput);
      return overridden.call(this, options.abortSignal, options.updateOutput);
    };
  }

  abstract getDescription(): string;

  toolLocations(): ToolLocation[] {
    return [];
  }

  execute(
    first: ExecuteOptions | AbortSignal,
    updateOutput?: (output: LiveOutput) => void,
  ): Promise<TResult> {
    if (!isRunnable<TResult>(this)) throw new Error(`${this._toolName} has neither run() nor execute().`);
    const options = optionsOf(first, updateOutput);
    return this.run(this.ownContainment ? { containment: this.ownContainment, ...options } : options);
  }

  async shouldConfirmExecute(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<ToolCallConfirmationDetails | false> {
    const decision = await this.getMessageBusDecision(abortSignal, forcedDecision);
    if (decision === PolicyDecision.ALLOW) return false;
    if (decision === PolicyDecision.DENY) {
      throw new ToolDeniedError(this._toolName ?? 'unknown', this.denialReason);
    }
    const details = await this.getConfirmationDetails(abortSignal);
    if (!details) return false;
    this.always = details.always ?? this.getPolicyUpdateOptions(ToolConfirmationOutcome.ProceedAlways);
    return { ...details, always: this.always ?? {} };
  }

  /** What to show when the user must decide. Override for edits, commands and so on. */
  protected async getConfirmationDetails(
    _abortSignal: AbortSignal,
  ): Promise<ToolCallConfirmationDetails | false> {
    return {
      type: 'info',
      title: `Confirm: ${this._toolDisplayName ?? this._toolName ?? 'tool'}`,
      prompt: this.getDescription(),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  /** The tool's server is the calling agent's own. */
  protected get isOfAgentServer(): boolean {
    return false;
  }

  /** How an "always" answer is narrowed; undefined allows the whole tool. */
  protected getPolicyUpdateOptions(_outcome: ToolConfirmationOutcome): PolicyUpdateOptions | undefined {
    return undefined;
  }

  protected async getMessageBusDecision(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<PolicyDecision> {
    if (forcedDecision && !abortSignal.aborted) return forcedDecision;
    const verdict = await this.messageBus.decide(
      { name: this._toolName ?? '', args: this.params as Record<string, unknown> },
      {
        abortSignal,
        serverName: this._serverName,
        ...(this.isOfAgentServer && { isAgentServer: true }),
        ...(this.toolAnnotations && { toolAnnotations: { ...this.toolAnnotations } }),
      },
    );
    this.denialReason = verdict.reason;
    this.ownContainment = verdict.containment;
    return verdict.decision;
  }

  /** The rule that the question showed, not one computed after it. */
  private ruleFor(outcome: ToolConfirmationOutcome): PolicyUpdateOptions | undefined {
    const isShown =
      outcome === ToolConfirmationOutcome.ProceedAlways ||
      outcome === ToolConfirmationOutcome.ProceedAlwaysAndSave;
    return (isShown ? this.always : undefined) ?? this.getPolicyUpdateOptions(outcome);
  }

  protected async publishPolicyUpdate(outcome: ToolConfirmationOutcome): Promise<void> {
    const always =
      outcome === ToolConfirmationOutcome.ProceedAlways ||
      outcome === ToolConfirmationOutcome.ProceedAlwaysAndSave ||
      outcome === ToolConfirmationOutcome.ProceedAlwaysTool ||
      outcome === ToolConfirmationOutcome.ProceedAlwaysServer;
    if (!always || !this._toolName) return;
    this.messageBus.publish({
      type: MessageBusType.UPDATE_POLICY,
      toolName: this._toolName,
      persist: outcome === ToolConfirmationOutcome.ProceedAlwaysAndSave,
      ...this.ruleFor(outcome),
    });
  }
}

function isRunnable<TResult extends ToolResult>(
  invocation: object,
): invocation is RunnableInvocation<TResult> {
  return 'run' in invocation && typeof invocation.run === 'function';
}

function optionsOf(
  first: ExecuteOptions | AbortSignal,
  updateOutput: ExecuteOptions['updateOutput'],
): ExecuteOptions {
  return first instanceof AbortSignal ? { abortSignal: first, updateOutput } : first;
}

export abstract class DeclarativeTool<TParams extends object, TResult extends ToolResult>
  implements ToolBuilder<TParams, TResult>
{
  /**
   * Set: when there are too many tools, this one may be listed by name only, under this heading (an MCP
   * server's name, `discovered`, …), until `search_tools` fetches it.
   */
  readonly deferUnder?: string;
  /** Set by tools whose schema is not ours (MCP, SDK, extensions): ajv checks it, with all of JSON Schema. */
  readonly hasForeignSchema: boolean = false;

  /** True: its output is bounded by the tool itself and reaches the model whole. */
  readonly keepsWholeOutput: boolean = false;

  /** The MCP server it comes from; rules may name it. */
  readonly serverName?: string;
  /** The server is the agent's own: only rules that name the agent allow its tools. */
  readonly isAgentServer: boolean = false;
  /** The same for hooks, with how the server is reached. */
  readonly mcpContext?: McpToolContext;

  constructor(
    readonly name: string,
    readonly displayName: string,
    readonly description: string,
    readonly kind: Kind,
    readonly parameterSchema: JsonSchema,
    readonly messageBus: MessageBus,
    readonly isOutputMarkdown = true,
    readonly canUpdateOutput = false,
    readonly toolAnnotations?: Record<string, unknown>,
  ) {}

  get schema(): FunctionDeclaration {
    return this.getSchema();
  }

  get isReadOnly(): boolean {
    return READ_ONLY_KINDS.includes(this.kind);
  }

  /** The declaration sent to a model. A tool may word it differently per model family. */
  getSchema(modelId?: string): FunctionDeclaration {
    const { description, parameterSchema } = this;
    const words = wordsFor(modelId, { description, schema: parameterSchema });
    return { name: this.name, description: words.description, parametersJsonSchema: words.schema };
  }

  /** What rules may match of this call; the same for all calls unless a tool says otherwise. */
  annotationsFor(_params: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
    return this.toolAnnotations;
  }

  /** Null when fine, else a sentence naming the path in the schema that failed. */
  validateToolParams(_params: TParams): string | null {
    return null;
  }

  abstract build(params: TParams): ToolInvocation<TParams, TResult>;
}

export abstract class BaseDeclarativeTool<
  TParams extends object,
  TResult extends ToolResult,
> extends DeclarativeTool<TParams, TResult> {
  build(params: TParams): ToolInvocation<TParams, TResult> {
    const normalized = this.normalizeParams(params);
    const problem = this.validateToolParams(normalized);
    if (problem) throw new Error(problem);
    const invocation = this.createInvocation(normalized, this.messageBus, this.name, this.displayName);
    if (invocation instanceof BaseToolInvocation)
      invocation.toolAnnotations = this.annotationsFor(normalized as Record<string, unknown>);
    return invocation;
  }

  override validateToolParams(params: TParams): string | null {
    return (
      SchemaValidator.validate(this.validationSchema(), params, this.hasForeignSchema) ??
      this.validateToolParamValues(params)
    );
  }

  /** Turns accepted synonyms into the canonical parameters, before validation. Must not throw. */
  protected normalizeParams(params: TParams): TParams {
    return params;
  }

  /** What arguments must satisfy, where that is laxer than what is declared to the model. */
  protected validationSchema(): JsonSchema {
    return this.parameterSchema;
  }

  protected validateToolParamValues(_params: TParams): string | null {
    return null;
  }

  protected abstract createInvocation(
    params: TParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): ToolInvocation<TParams, TResult>;
}

/** Any tool, whatever its parameters. */
// biome-ignore lint/suspicious/noExplicitAny: parameters are contravariant, no other type accepts all tools
export type AnyDeclarativeTool = DeclarativeTool<any, ToolResult>;
export type AnyToolInvocation = ToolInvocation<object, ToolResult>;

/** A failed call, with the same message for the model and the user. */
export function toolFailure(message: string, type: ToolErrorType, display = message): ToolResult {
  return { llmContent: message, returnDisplay: display, error: { message, type } };
}

/** `complete_task`: how a sub-agent reports its result. Its parameter is the output that the agent's definition describes. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { COMPLETE_TASK } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolResult, toolFailure } from '../tools.js';
import prose from './complete-task.md';

/** What the agent must deliver. */
export interface TaskOutput {
  /** The parameter's name. */
  name: string;
  description: string;
  schema: JsonSchema;
  /** What is wrong with a value; null: it is accepted. */
  check(value: unknown): string | null;
}

/** Takes the accepted value. */
export interface TaskReceiver {
  readonly output: TaskOutput | undefined;
  /** @returns what must be corrected first; undefined: the run ends */
  complete(value: unknown): Promise<string | undefined>;
}

type Params = Record<string, unknown>;

const plain = describeTool(prose, {
  type: 'object',
  properties: { result: { type: 'string' } },
  required: ['result'],
});

const RESULT = 'result';

export class CompleteTaskTool extends BaseDeclarativeTool<Params, ToolResult> {
  static readonly Name = COMPLETE_TASK;

  constructor(
    private readonly receiver: TaskReceiver,
    messageBus: MessageBus,
  ) {
    const { output } = receiver;
    const schema: JsonSchema = output
      ? {
          type: 'object',
          properties: { [output.name]: { ...output.schema, description: output.description } },
          required: [output.name],
        }
      : plain.schema;
    super(CompleteTaskTool.Name, 'Complete Task', plain.description, Kind.Other, schema, messageBus);
  }

  /** The value itself is checked by the definition's own schema. */
  protected override validationSchema(): JsonSchema {
    return { type: 'object', required: [this.parameter] };
  }

  protected override validateToolParamValues(params: Params): string | null {
    const value = params[this.parameter];
    const { output } = this.receiver;
    if (output) return output.check(value);
    if (typeof value !== 'string') return `params.${RESULT} must be a string`;
    return value.trim() === '' ? `params.${RESULT} must be non-empty` : null;
  }

  protected createInvocation(...call: InvocationArguments<Params>) {
    return new CompleteTaskInvocation({ receiver: this.receiver, parameter: this.parameter }, ...call);
  }

  private get parameter(): string {
    return this.receiver.output?.name ?? RESULT;
  }
}

class CompleteTaskInvocation extends HostedInvocation<{ receiver: TaskReceiver; parameter: string }, Params> {
  getDescription(): string {
    return 'Reports the result';
  }

  protected async run(): Promise<ToolResult> {
    const problem = await this.host.receiver.complete(this.params[this.host.parameter]);
    if (problem !== undefined) return toolFailure(problem, ToolErrorType.INVALID_TOOL_PARAMS);
    return { llmContent: 'The result is reported; your run ends here.', returnDisplay: 'Reported' };
  }
}

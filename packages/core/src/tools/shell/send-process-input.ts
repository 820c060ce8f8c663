/** `send_process_input`: types into a background process and shows its answer. Declared while one takes input. */
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { MessageBus } from '../../bus/message-bus.js';
import type { ProcessAnswer } from '../../platform/shell/shell-service.js';
import {
  type PolicyUpdateOptions,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
} from '../../protocol/confirmation.js';
import { SEND_PROCESS_INPUT } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult, toolFailure } from '../tools.js';
import type { BackgroundHost } from './list-background-processes.js';
import { exitText, notRunning } from './process-state.js';
import prose from './send-process-input.md';

export interface SendProcessInputParams {
  pid: number;
  input: string;
  enter?: boolean;
}

/** More than a person would type; files are passed by path. */
const MAX_INPUT_BYTES = 16 * 1024;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    pid: { type: 'integer' },
    input: { type: 'string' },
    enter: { type: 'boolean' },
  },
  required: ['pid', 'input'],
});

export class SendProcessInputTool extends BaseDeclarativeTool<SendProcessInputParams, ToolResult> {
  static readonly Name = SEND_PROCESS_INPUT;

  constructor(
    private readonly host: BackgroundHost,
    messageBus: MessageBus,
  ) {
    super(SendProcessInputTool.Name, 'Send Input', description, Kind.Execute, schema, messageBus, false);
  }

  protected override validateToolParamValues({ input }: SendProcessInputParams): string | null {
    if (Buffer.byteLength(input) <= MAX_INPUT_BYTES) return null;
    return `Input is longer than ${MAX_INPUT_BYTES} bytes. Write it to a file and let the command read that.`;
  }

  protected createInvocation(...call: InvocationArguments<SendProcessInputParams>) {
    return new SendInvocation(this.host, ...call);
  }
}

class SendInvocation extends HostedInvocation<BackgroundHost, SendProcessInputParams> {
  getDescription(): string {
    return `${shown(this.params)} to PID ${this.params.pid}`;
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const { pid } = this.params;
    const command = this.host.getShellExecutionService().commandOf(pid);
    return {
      type: 'info',
      title: 'Confirm Input to a Command',
      prompt: `Type ${shown(this.params)} into process ${pid}${command ? `: ${command}` : ''}`,
      onConfirm: (outcome) => this.publishPolicyUpdate(forThisSession(outcome)),
    };
  }

  /** "Always" applies to this process; policy puts each argument between NULs. */
  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return { argsPattern: `\\x00"pid":${this.params.pid}\\x00` };
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { pid } = this.params;
    const service = this.host.getShellExecutionService();
    const problem = notRunning(service, pid);
    if (problem) return problem;
    const answer = await service.sendInput(pid, keysOf(this.params), { signal: abortSignal });
    if (!answer) {
      const message = `Process ${pid} takes no input. stop_process ends it.`;
      return toolFailure(message, ToolErrorType.EXECUTION_FAILED);
    }
    return resultOf(pid, answer);
  }
}

/** In another session the same PID belongs to no process or to another one. */
function forThisSession(outcome: ToolConfirmationOutcome): ToolConfirmationOutcome {
  const { ProceedAlways, ProceedAlwaysAndSave } = ToolConfirmationOutcome;
  return outcome === ProceedAlwaysAndSave ? ProceedAlways : outcome;
}

/** Enter is a carriage return. A line end at the end of the text counts as Enter. */
function keysOf({ input, enter = true }: SendProcessInputParams): string {
  const text = enter ? input.replace(/\r?\n$/, '') : input;
  return text.replace(/\r?\n/g, '\r') + (enter ? '\r' : '');
}

/** Quoted, so that the user who approves sees invisible characters. */
function shown({ input, enter = true }: SendProcessInputParams): string {
  return `${JSON.stringify(input)}${enter ? ' and Enter' : ''}`;
}

function resultOf(pid: number, { output, state, ...exit }: ProcessAnswer): ToolResult {
  const sentences = {
    waiting: `Process ${pid} is waiting for input.`,
    running: `Process ${pid} is still running. Use read_background_output with delay_ms to see what it prints later.`,
    exited: `Process ${pid} has ended${exitText(exit)}.`,
  };
  const text = output === '' ? ' It printed nothing.' : ` It printed:\n${wrapUntrusted(output)}`;
  return {
    llmContent: `${sentences[state]}${text}`,
    returnDisplay: output || sentences[state],
    data: { pid, state, ...(state === 'exited' && { exitCode: exit.exitCode }) },
  };
}

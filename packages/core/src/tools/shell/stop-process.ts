/** `stop_process`: ends a background process with all it has started. Declared while there is one. */
import type { MessageBus } from '../../bus/message-bus.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
import type { BackgroundHost } from './list-background-processes.js';
import { exitText, notRunning } from './process-state.js';
import prose from './stop-process.md';

export interface StopProcessParams {
  pid: number;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { pid: { type: 'integer' } },
  required: ['pid'],
});

export class StopProcessTool extends BaseDeclarativeTool<StopProcessParams, ToolResult> {
  static readonly Name = 'stop_process';

  constructor(
    private readonly host: BackgroundHost,
    messageBus: MessageBus,
  ) {
    super(StopProcessTool.Name, 'Stop Process', description, Kind.Execute, schema, messageBus, false);
  }

  protected createInvocation(...call: InvocationArguments<StopProcessParams>) {
    return new StopInvocation(this.host, ...call);
  }
}

class StopInvocation extends HostedInvocation<BackgroundHost, StopProcessParams> {
  getDescription(): string {
    return `Stop PID ${this.params.pid}`;
  }

  protected async run(): Promise<ToolResult> {
    const { pid } = this.params;
    const service = this.host.getShellExecutionService();
    const problem = notRunning(service, pid);
    if (problem) return problem;
    await service.kill(pid);
    const ended = service.listBackground().find((process) => process.pid === pid);
    const text = `Process ${pid} was stopped${ended ? exitText(ended) : ''}.`;
    return { llmContent: text, returnDisplay: text };
  }
}

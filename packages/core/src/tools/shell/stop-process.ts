/** `stop_process`: ends a background process with all it has started. Declared while there is one. */
import type { MessageBus } from '../../bus/message-bus.js';
import { describeTool } from '../describe-tool.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../tools.js';
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

  protected createInvocation(
    params: StopProcessParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): ToolInvocation<StopProcessParams, ToolResult> {
    return new StopInvocation(this.host, params, messageBus, toolName, toolDisplayName);
  }
}

class StopInvocation extends BaseToolInvocation<StopProcessParams, ToolResult> {
  constructor(
    private readonly host: BackgroundHost,
    params: StopProcessParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ) {
    super(params, messageBus, toolName, toolDisplayName);
  }

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

/** `list_background_processes`: what this session has sent to the background. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { BackgroundProcess } from '../../platform/shell/shell-service.js';
import { describeTool } from '../describe-tool.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../tools.js';
import prose from './list-background-processes.md';
import { exitText } from './process-state.js';
import type { ShellHost } from './shell.js';

export type BackgroundHost = Pick<ShellHost, 'getShellExecutionService'>;
type NoParams = Record<string, never>;

const { description, schema } = describeTool(prose, { type: 'object', properties: {} });

export class ListBackgroundProcessesTool extends BaseDeclarativeTool<NoParams, ToolResult> {
  static readonly Name = 'list_background_processes';

  constructor(
    private readonly host: BackgroundHost,
    messageBus: MessageBus,
  ) {
    super(
      ListBackgroundProcessesTool.Name,
      'List Background Processes',
      description,
      Kind.Read,
      schema,
      messageBus,
      false,
    );
  }

  protected createInvocation(
    params: NoParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): ToolInvocation<NoParams, ToolResult> {
    return new ListInvocation(this.host, params, messageBus, toolName, toolDisplayName);
  }
}

class ListInvocation extends BaseToolInvocation<NoParams, ToolResult> {
  constructor(
    private readonly host: BackgroundHost,
    params: NoParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ) {
    super(params, messageBus, toolName, toolDisplayName);
  }

  getDescription(): string {
    return 'List background processes';
  }

  protected async run(): Promise<ToolResult> {
    const processes = this.host.getShellExecutionService().listBackground();
    const text = processes.map(lineOf).join('\n') || 'No background processes found.';
    return { llmContent: text, returnDisplay: text };
  }
}

function lineOf({ pid, status, command, ...exit }: BackgroundProcess): string {
  // One process is one line.
  const shown = command.replaceAll('\n', '\\n');
  return `- [PID ${pid}] ${status.toUpperCase()}: \`${shown}\`${exitText(exit)}`;
}

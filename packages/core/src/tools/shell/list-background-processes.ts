/** `list_background_processes`: what this session has sent to the background. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { BackgroundProcess } from '../../platform/shell/shell-service.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
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

  protected createInvocation(...call: InvocationArguments<NoParams>) {
    return new ListInvocation(this.host, ...call);
  }
}

class ListInvocation extends HostedInvocation<BackgroundHost, NoParams> {
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

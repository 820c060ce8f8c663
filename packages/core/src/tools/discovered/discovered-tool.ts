/** A tool that a command of the project offers (`tools.discoveryCommand`) and another one runs (`tools.callCommand`). */
import type { MessageBus } from '../../bus/message-bus.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult } from '../tools.js';

export const DISCOVERED_PREFIX = 'discovered_tool_';

export interface DiscoveryHost {
  /** The commands; undefined while there are none, or the folder is not trusted. */
  getDiscoveryCommands(): { discover: string; call: string } | undefined;
  getTargetDir(): string;
  /** Redacted like that of shell commands. */
  getCommandEnvironment(): Readonly<Record<string, string>>;
  /** Limit for one call; 0: none. */
  getCallLimitMs(): number;
}

export interface OfferedTool {
  /** As the commands know it. */
  name: string;
  description: string;
  schema: JsonSchema;
}

type Arguments = Record<string, unknown>;

export class DiscoveredTool extends BaseDeclarativeTool<Arguments, ToolResult> {
  override readonly deferUnder = 'discovered';
  override readonly hasForeignSchema = true;

  constructor(
    private readonly host: DiscoveryHost,
    messageBus: MessageBus,
    private readonly offered: OfferedTool,
  ) {
    const name = DISCOVERED_PREFIX + offered.name;
    super(name, name, offered.description, Kind.Other, offered.schema, messageBus, false);
  }

  protected createInvocation(...call: InvocationArguments<Arguments>) {
    return new DiscoveredInvocation(this.offered.name, this.host, ...call);
  }
}

class DiscoveredInvocation extends HostedInvocation<DiscoveryHost, Arguments> {
  constructor(
    private readonly offeredName: string,
    ...rest: ConstructorParameters<typeof HostedInvocation<DiscoveryHost, Arguments>>
  ) {
    super(...rest);
  }

  /** All arguments: the user approves exactly these. */
  getDescription(): string {
    return JSON.stringify(this.params);
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { callDiscovered } = await import('./run-commands.js');
    return callDiscovered(this.host, this.offeredName, this.params, abortSignal);
  }
}

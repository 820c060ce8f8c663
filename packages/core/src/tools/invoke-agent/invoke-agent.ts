/** `invoke_agent`: runs a sub-agent, here or on a server, and returns its report. */
import { escapeRegex } from '../../base/escape-regex.js';
import { nearestNames } from '../../base/nearest.js';
import type { MessageBus } from '../../bus/message-bus.js';
import type { ToolCallConfirmationDetails } from '../../protocol/confirmation.js';
import type { SubagentProgress } from '../../protocol/tool-display.js';
import { INVOKE_AGENT } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult } from '../tools.js';
import prose from './invoke-agent.md';

export interface InvokeAgentParams {
  agent_name: string;
  prompt: string;
}

/** An agent as the tool and policy see it. */
export interface CallableAgent {
  name: string;
  displayName?: string;
  isRemote: boolean;
  /** All of its tools only read. */
  isReadOnly: boolean;
}

export interface AgentCall {
  name: string;
  prompt: string;
  signal: AbortSignal;
  callId?: string;
  onProgress?: (progress: SubagentProgress) => void;
}

/** Runs agents; `agents/run/` implements it. */
export interface AgentCaller {
  /** In the spelling of its definition; `-` and `_` count as equal. */
  find(name: string): CallableAgent | undefined;
  names(): string[];
  call(call: AgentCall): Promise<ToolResult>;
}

export interface AgentHost {
  getAgentCaller(): AgentCaller;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { agent_name: { type: 'string' }, prompt: { type: 'string' } },
  required: ['agent_name', 'prompt'],
});

export class InvokeAgentTool extends BaseDeclarativeTool<InvokeAgentParams, ToolResult> {
  static readonly Name = INVOKE_AGENT;

  constructor(
    private readonly host: AgentHost,
    messageBus: MessageBus,
  ) {
    super(InvokeAgentTool.Name, 'Invoke Subagent', description, Kind.Agent, schema, messageBus, true, true);
  }

  /** Rules ask about remote agents, and plan mode allows those that only read. */
  override annotationsFor({ agent_name: name }: Readonly<Record<string, unknown>>) {
    const agent = typeof name === 'string' ? this.host.getAgentCaller().find(name) : undefined;
    if (agent?.isRemote) return { remote: true };
    return agent?.isReadOnly ? { readOnlyHint: true } : undefined;
  }

  /** Rules name the agent as its definition does. */
  protected override normalizeParams(params: InvokeAgentParams): InvokeAgentParams {
    const { agent_name: name } = params;
    const agent = typeof name === 'string' ? this.host.getAgentCaller().find(name.trim()) : undefined;
    return agent ? { ...params, agent_name: agent.name } : params;
  }

  protected override validateToolParamValues({ agent_name: name, prompt }: InvokeAgentParams): string | null {
    if (prompt.trim() === '') return 'params.prompt must be non-empty';
    const caller = this.host.getAgentCaller();
    if (caller.find(name)) return null;
    const names = caller.names();
    if (names.length === 0) return `There is no agent "${name}"; no agents are available.`;
    const near = nearestNames(name, names, 1);
    const listed = near.length > 0 ? near : names.slice(0, MAX_LISTED);
    return `There is no agent "${name}". ${near.length > 0 ? 'Did you mean' : 'Available:'} ${listed.join(', ')}${near.length > 0 ? '?' : '.'}`;
  }

  protected createInvocation(...call: InvocationArguments<InvokeAgentParams>) {
    return new InvokeAgentInvocation(this.host, ...call);
  }
}

const MAX_LISTED = 20;

class InvokeAgentInvocation extends HostedInvocation<AgentHost, InvokeAgentParams> {
  getDescription(): string {
    const { agent_name: name, prompt } = this.params;
    return `${name}: ${prompt.trim().replace(/\s+/g, ' ')}`;
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const { agent_name: name, prompt } = this.params;
    const isRemote = this.host.getAgentCaller().find(name)?.isRemote;
    return {
      type: 'info',
      title: isRemote ? `Send to the remote agent ${name}` : `Run the agent ${name}`,
      prompt,
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  /** "Always" holds for this agent. */
  protected override getPolicyUpdateOptions() {
    const { agent_name: name } = this.params;
    return { argsPattern: `"agent_name":${escapeRegex(JSON.stringify(name))}` };
  }

  protected run({ abortSignal, callId, updateOutput }: ExecuteOptions): Promise<ToolResult> {
    const { agent_name: name, prompt } = this.params;
    return this.host.getAgentCaller().call({
      name,
      prompt,
      signal: abortSignal,
      ...(callId !== undefined && { callId }),
      ...(updateOutput && { onProgress: updateOutput }),
    });
  }
}

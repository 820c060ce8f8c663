/** A tool of an MCP server as a tool of ours: declaration, confirmation, call and result. */
import { isAbort, messageOf } from '../../base/errors.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { MessageBus } from '../../bus/message-bus.js';
import {
  type PolicyDecision,
  type PolicyUpdateOptions,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
} from '../../protocol/confirmation.js';
import type { McpToolContext } from '../../protocol/tool-calls.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  type FunctionDeclaration,
  Kind,
  type ToolResult,
  toolFailure,
} from '../../tools/tools.js';
import type { ResolvedServer } from '../config.js';
import type { McpToolDefinition } from '../definitions.js';
import type { McpClient } from '../mcp-client.js';
import { convertMcpToolToFunctionDeclaration } from './declaration.js';
import { progressLine } from './progress-line.js';

type Arguments = Record<string, unknown>;

/** What was approved of a server's tools; see `pins/`. */
export interface ToolPins {
  /** The tool is not what was approved. */
  hasChanged(server: ResolvedServer, tool: McpToolDefinition): boolean;
  /** The difference, for the user. */
  describeChange(server: ResolvedServer, tool: McpToolDefinition): Promise<string>;
  /**
   * The user or a rule has approved a call.
   * @param all what the server offers now
   */
  approved(server: ResolvedServer, tool: McpToolDefinition, all: readonly McpToolDefinition[]): void;
}

export interface McpToolParts {
  /** Unique in the session. */
  name: string;
  server: ResolvedServer;
  definition: McpToolDefinition;
  client: Pick<McpClient, 'callTool' | 'tools'>;
  pins: ToolPins;
  /** The agent whose own server it is; absent: a server of the session. */
  agentName?: string;
  /** The user works with the server. */
  onUse?: () => void;
}

export class McpToolWrapper extends BaseDeclarativeTool<Arguments, ToolResult> {
  override readonly deferUnder: string;
  override readonly hasForeignSchema = true;
  override readonly serverName: string;
  override readonly mcpContext: McpToolContext;
  override readonly isAgentServer: boolean;
  private readonly declaration: FunctionDeclaration;

  constructor(
    private readonly parts: McpToolParts,
    messageBus: MessageBus,
  ) {
    const { name, server, definition } = parts;
    const declaration = convertMcpToolToFunctionDeclaration(definition, name);
    super(
      name,
      `${definition.name} (${server.name} MCP Server)`,
      declaration.description,
      Kind.Other,
      declaration.parametersJsonSchema,
      messageBus,
      true,
      true,
      definition.annotations,
    );
    this.declaration = declaration;
    this.deferUnder = server.name;
    this.serverName = server.name;
    this.isAgentServer = parts.agentName !== undefined;
    this.mcpContext = contextOf(server, definition.name);
  }

  override get isReadOnly(): boolean {
    return this.toolAnnotations?.['readOnlyHint'] === true;
  }

  /** The same for every model: texts of a server are never read as variants of ours. */
  override getSchema(): FunctionDeclaration {
    return this.declaration;
  }

  /** The same tool for another agent: its questions go to that agent's bus. */
  withBus(bus: MessageBus): McpToolWrapper {
    return new McpToolWrapper(this.parts, bus);
  }

  protected override validationSchema() {
    return this.parts.definition.inputSchema;
  }

  protected createInvocation(params: Arguments, bus: MessageBus): McpToolInvocation {
    return new McpToolInvocation(this.parts, params, bus, this.displayName);
  }
}

class McpToolInvocation extends BaseToolInvocation<Arguments, ToolResult> {
  constructor(
    private readonly parts: McpToolParts,
    params: Arguments,
    bus: MessageBus,
    displayName: string,
  ) {
    super(params, bus, parts.name, displayName, parts.server.name);
  }

  protected override get isOfAgentServer(): boolean {
    return this.parts.agentName !== undefined;
  }

  /** All arguments: the user approves exactly these. */
  getDescription(): string {
    return JSON.stringify(this.params);
  }

  /** A tool that changed after it was approved asks again, whatever rules say. */
  override async shouldConfirmExecute(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<ToolCallConfirmationDetails | false> {
    const wanted = await super.shouldConfirmExecute(abortSignal, forcedDecision);
    return wanted || (this.hasChanged() && this.details());
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails> {
    return this.details();
  }

  protected override getPolicyUpdateOptions(outcome: ToolConfirmationOutcome): PolicyUpdateOptions {
    const { server, definition, agentName } = this.parts;
    const isForServer = outcome === ToolConfirmationOutcome.ProceedAlwaysServer;
    return {
      mcpName: server.name,
      toolName: isForServer ? '*' : definition.name,
      ...(agentName !== undefined && { subagent: agentName }),
    };
  }

  async run({ abortSignal, updateOutput }: ExecuteOptions): Promise<ToolResult> {
    const { server, definition, client, pins } = this.parts;
    pins.approved(server, definition, client.tools);
    this.parts.onUse?.();
    let result: unknown;
    try {
      result = await client.callTool(definition.name, this.params, {
        signal: abortSignal,
        onProgress: (progress) => updateOutput?.(progressLine(progress)),
      });
    } catch (error) {
      if (isAbort(error, abortSignal)) throw error;
      return this.failure(messageOf(error));
    }
    const { convertResult, structuredContentOf } = await import('./result-parts.js');
    const { parts, display, isError } = convertResult(result, definition.name);
    if (isError) return this.failure(display);
    const structured = structuredContentOf(result);
    return {
      llmContent: parts,
      returnDisplay: display,
      ...(structured !== undefined && { data: { structuredContent: structured } }),
    };
  }

  private hasChanged(): boolean {
    return this.parts.pins.hasChanged(this.parts.server, this.parts.definition);
  }

  private async details(): Promise<ToolCallConfirmationDetails> {
    const { server, definition, pins } = this.parts;
    const change = this.hasChanged() ? await pins.describeChange(server, definition) : undefined;
    return {
      type: 'mcp',
      title: change ? 'This MCP tool has changed since you approved it' : 'Confirm MCP tool',
      ...(change && { systemMessage: change }),
      serverName: server.name,
      toolName: definition.name,
      toolDisplayName: this._toolDisplayName ?? definition.name,
      toolArgs: this.params,
      toolDescription: definition.description,
      toolParameterSchema: definition.inputSchema,
      always: this.getPolicyUpdateOptions(ToolConfirmationOutcome.ProceedAlways),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  private failure(response: string): ToolResult {
    const { server, definition } = this.parts;
    const message =
      `The MCP tool "${definition.name}" of the server "${server.name}" failed. ` +
      `Arguments: ${JSON.stringify(this.params)}. Response:\n${wrapUntrusted(response)}`;
    const shown = `${definition.name} (${server.name}) failed: ${firstLine(response)}`;
    const type = ToolErrorType.MCP_TOOL_ERROR;
    return { ...toolFailure(message, type, shown), error: { message, type, shown } };
  }
}

function contextOf({ name, config }: ResolvedServer, toolName: string): McpToolContext {
  const { command, args, cwd, url, httpUrl, tcp } = config;
  const address = httpUrl ?? url;
  return {
    server_name: name,
    tool_name: toolName,
    ...(command !== undefined && { command }),
    ...(args && { args: [...args] }),
    ...(cwd !== undefined && { cwd }),
    ...(address !== undefined && { url: address }),
    ...(tcp !== undefined && { tcp }),
  };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

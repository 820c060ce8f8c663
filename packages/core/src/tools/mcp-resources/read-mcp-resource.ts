/** `read_mcp_resource`: what a server has at an address. */
import { isAbort, messageOf } from '../../base/errors.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import { visibleName } from '../../base/visible-text.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult } from '../tools.js';
import { findResource } from './find-resource.js';
import type { McpResourceHost } from './host.js';
import prose from './read-mcp-resource.md';
import { resourceParts } from './resource-parts.js';

export interface ReadMcpResourceParams {
  uri: string;
  server_name?: string;
  /** Another spelling. */
  serverName?: string;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { uri: { type: 'string' }, server_name: { type: 'string' } },
  required: ['uri'],
});

export class ReadMcpResourceTool extends BaseDeclarativeTool<ReadMcpResourceParams, ToolResult> {
  static readonly Name = 'read_mcp_resource';

  constructor(
    private readonly host: McpResourceHost,
    messageBus: MessageBus,
  ) {
    super(ReadMcpResourceTool.Name, 'Read MCP Resource', description, Kind.Read, schema, messageBus);
  }

  protected override normalizeParams({
    serverName,
    ...params
  }: ReadMcpResourceParams): ReadMcpResourceParams {
    return serverName === undefined ? params : { server_name: serverName, ...params };
  }

  protected override validateToolParamValues({ uri }: ReadMcpResourceParams): string | null {
    return uri.trim() === '' ? 'params.uri must be non-empty' : null;
  }

  protected createInvocation(...call: InvocationArguments<ReadMcpResourceParams>) {
    return new ReadMcpResourceInvocation(this.host, ...call);
  }
}

class ReadMcpResourceInvocation extends HostedInvocation<McpResourceHost, ReadMcpResourceParams> {
  getDescription(): string {
    return visibleName(this.params.uri);
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { uri, server_name } = this.params;
    const resources = this.host.getMcpResources();
    const found = resources && findResource(resources, uri.trim(), server_name);
    if (!resources || !found) {
      return failed(
        ToolErrorType.MCP_RESOURCE_NOT_FOUND,
        `No MCP server offers "${uri}". list_mcp_resources shows what there is.`,
      );
    }
    try {
      const contents = await resources.read(found.server, found.uri, abortSignal);
      const parts = resourceParts(contents);
      const name = `${found.server}:${found.uri}`;
      return {
        llmContent: parts.length > 0 ? parts : `The resource "${name}" is empty.`,
        returnDisplay: `Read ${visibleName(name)}.`,
      };
    } catch (error) {
      if (isAbort(error, abortSignal)) throw error;
      const why = messageOf(error);
      // The server may have written it.
      const message = `The resource "${found.server}:${found.uri}" could not be read:\n${wrapUntrusted(why)}`;
      return failed(ToolErrorType.MCP_TOOL_ERROR, message, why);
    }
  }
}

function failed(type: ToolErrorType, message: string, display = message): ToolResult {
  return { llmContent: message, returnDisplay: visibleName(display), error: { message, type } };
}

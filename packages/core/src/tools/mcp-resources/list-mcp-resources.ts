/** `list_mcp_resources`: the addresses that MCP servers offer. */
import { wrapUntrusted } from '../../base/untrusted-context.js';
import { visibleName } from '../../base/visible-text.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
import type { McpResourceHost } from './host.js';
import prose from './list-mcp-resources.md';

export interface ListMcpResourcesParams {
  serverName?: string;
  /** An earlier spelling. */
  server_name?: string;
}

/** A server with more of them is searched, not listed. */
const MAX_LISTED = 500;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { serverName: { type: 'string' } },
});

export class ListMcpResourcesTool extends BaseDeclarativeTool<ListMcpResourcesParams, ToolResult> {
  static readonly Name = 'list_mcp_resources';

  constructor(
    private readonly host: McpResourceHost,
    messageBus: MessageBus,
  ) {
    super(ListMcpResourcesTool.Name, 'List MCP Resources', description, Kind.Search, schema, messageBus);
  }

  protected override normalizeParams({
    server_name,
    ...params
  }: ListMcpResourcesParams): ListMcpResourcesParams {
    return server_name === undefined ? params : { serverName: server_name, ...params };
  }

  protected createInvocation(...call: InvocationArguments<ListMcpResourcesParams>) {
    return new ListMcpResourcesInvocation(this.host, ...call);
  }
}

class ListMcpResourcesInvocation extends HostedInvocation<McpResourceHost, ListMcpResourcesParams> {
  getDescription(): string {
    return this.params.serverName ? `of ${visibleName(this.params.serverName)}` : '';
  }

  protected async run(): Promise<ToolResult> {
    const wanted = this.params.serverName?.trim().toLowerCase();
    const all = this.host.getMcpResources()?.list() ?? [];
    const found = wanted ? all.filter(({ server }) => server.toLowerCase() === wanted) : all;
    const display = `Listed ${found.length} resources.`;
    if (found.length === 0) {
      const where = wanted ? `The server "${this.params.serverName}" offers` : 'MCP servers offer';
      return { llmContent: `${where} no resources.`, returnDisplay: display };
    }
    const lines = found
      .slice(0, MAX_LISTED)
      .map(({ server, uri, name, description = '' }) =>
        visibleName(`- ${server}:${uri} | ${name} | ${description}`),
      );
    const left = found.length - lines.length;
    const text = ['Resources of MCP servers:', wrapUntrusted(lines.join('\n'))];
    if (left > 0) text.push(`${left} more are not listed; name a server.`);
    return { llmContent: text.join('\n'), returnDisplay: display };
  }
}

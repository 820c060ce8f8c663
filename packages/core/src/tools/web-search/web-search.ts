/** `google_web_search`: finds things on the web, by the provider's own search or a service of the user's. */
import type { MessageBus } from '../../bus/message-bus.js';
import { GOOGLE_WEB_SEARCH } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult } from '../tools.js';
import { reachesWebItself, type WebHost } from '../web-host.js';
import prose from './web-search.md';

export interface WebSearchParams {
  query: string;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { query: { type: 'string' } },
  required: ['query'],
});

/** Google models search by themselves; others need the service in `tools.webSearch`. */
export function canSearchWeb(model: string, host: WebHost): boolean {
  return reachesWebItself(model) || host.getWebSearchService?.() !== undefined;
}

export class WebSearchTool extends BaseDeclarativeTool<WebSearchParams, ToolResult> {
  static readonly Name = GOOGLE_WEB_SEARCH;

  constructor(
    private readonly host: WebHost,
    messageBus: MessageBus,
  ) {
    super(WebSearchTool.Name, 'GoogleSearch', description, Kind.Search, schema, messageBus);
  }

  protected override validateToolParamValues({ query }: WebSearchParams): string | null {
    return query.trim() === '' ? "The 'query' parameter cannot be empty." : null;
  }

  protected createInvocation(...call: InvocationArguments<WebSearchParams>) {
    return new WebSearchInvocation(this.host, ...call);
  }
}

class WebSearchInvocation extends HostedInvocation<WebHost, WebSearchParams> {
  getDescription(): string {
    return `Searching the web for: "${this.params.query.trim()}"`;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { runWebSearch } = await import('./run-web-search.js');
    return runWebSearch(this.host, this.params.query.trim(), abortSignal);
  }
}

/** `google_web_search`: finds things on the web, by the provider's own search or a service of the user's. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { GOOGLE_WEB_SEARCH } from '../../protocol/tool-names.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../tools.js';
import { reachesWebItself, type WebHost } from '../web-host.js';

export interface WebSearchParams {
  query: string;
}

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to search for.' } },
  required: ['query'],
};

/** Somebody has to do the searching: Google, or the service in `tools.webSearch`. */
export function canSearchWeb(model: string, host: WebHost): boolean {
  return reachesWebItself(model) || host.getWebSearchService?.() !== undefined;
}

export class WebSearchTool extends BaseDeclarativeTool<WebSearchParams, ToolResult> {
  static readonly Name = GOOGLE_WEB_SEARCH;

  constructor(
    private readonly host: WebHost,
    messageBus: MessageBus,
  ) {
    super(
      WebSearchTool.Name,
      'GoogleSearch',
      'Searches the web and returns a summary of what it found, with sources.',
      Kind.Search,
      SCHEMA,
      messageBus,
    );
  }

  protected override validateToolParamValues({ query }: WebSearchParams): string | null {
    return query.trim() === '' ? "The 'query' parameter cannot be empty." : null;
  }

  protected createInvocation(
    params: WebSearchParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): ToolInvocation<WebSearchParams, ToolResult> {
    return new WebSearchInvocation(this.host, params, messageBus, toolName, toolDisplayName);
  }
}

class WebSearchInvocation extends BaseToolInvocation<WebSearchParams, ToolResult> {
  constructor(
    private readonly host: WebHost,
    params: WebSearchParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ) {
    super(params, messageBus, toolName, toolDisplayName);
  }

  getDescription(): string {
    return `Searching the web for: "${this.params.query.trim()}"`;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { runWebSearch } = await import('./run-web-search.js');
    return runWebSearch(this.host, this.params.query.trim(), abortSignal);
  }
}

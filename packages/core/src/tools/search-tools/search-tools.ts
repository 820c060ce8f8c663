/** `search_tools`: returns the full declarations of tools that were listed by name only. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import { SEARCH_TOOLS } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { type AnyDeclarativeTool, BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
import { rankTools } from './rank.js';
import prose from './search-tools.md';

export interface SearchToolsParams {
  query: string;
  limit?: number;
}

/** The tools that the registry lists by name only. */
export interface DeferredTools {
  getDeferredTools(): readonly AnyDeclarativeTool[];
  /** Declares these tools from the next turn on and returns their declarations. */
  fetch(names: readonly string[]): FunctionDeclaration[];
}

const DEFAULT_LIMIT = 5;
const MOST = 20;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
  },
  required: ['query'],
});

export class SearchToolsTool extends BaseDeclarativeTool<SearchToolsParams, ToolResult> {
  static readonly Name = SEARCH_TOOLS;

  constructor(
    private readonly deferred: DeferredTools,
    messageBus: MessageBus,
  ) {
    super(SearchToolsTool.Name, 'Search Tools', description, Kind.Search, schema, messageBus);
  }

  protected override validateToolParamValues({ query }: SearchToolsParams): string | null {
    return query.trim() === '' ? 'params.query must be non-empty' : null;
  }

  protected createInvocation(...call: InvocationArguments<SearchToolsParams>) {
    return new SearchToolsInvocation(this.deferred, ...call);
  }
}

class SearchToolsInvocation extends HostedInvocation<DeferredTools, SearchToolsParams> {
  getDescription(): string {
    return `'${this.params.query}'`;
  }

  protected async run(): Promise<ToolResult> {
    const { query, limit = DEFAULT_LIMIT } = this.params;
    const known = this.host.getDeferredTools();
    const found = rankTools(query, known).slice(0, Math.min(limit, MOST));
    if (found.length === 0) {
      const text =
        known.length === 0
          ? 'Every tool is already declared; call it directly.'
          : `No tool fits "${query}". Try other words, or a name from the list.`;
      return { llmContent: text, returnDisplay: 'No tool found' };
    }
    const declarations = this.host.fetch(found.map(({ name }) => name));
    return {
      llmContent: [
        `${declarations.length} tool(s), best first. Call them by these names from your next turn on:`,
        ...declarations.map((declaration) => JSON.stringify(declaration)),
      ].join('\n'),
      returnDisplay: `Found ${declarations.map(({ name }) => name).join(', ')}`,
    };
  }
}

/** The tools of a session: which exist, in what order, and what the model is told about them. */
import { nearestNames } from '../base/nearest.js';
import { createLog } from '../platform/log.js';
import type { JsonSchema } from '../protocol/tool-declaration.js';
import { canonicalToolName, SEARCH_TOOLS } from '../protocol/tool-names.js';
import { findBySpelling } from './mcp-spellings.js';
import { DeclarationSizes, type DeferralOptions, declarationLimit } from './search-tools/deferral.js';
import { listDeferred } from './search-tools/listing.js';
import type { DeferredTools } from './search-tools/search-tools.js';
import type { AnyDeclarativeTool, FunctionDeclaration } from './tools.js';

const log = createLog('tools');

/** An argument that every tool accepts: run only after all earlier calls of the same turn. */
export const WAIT_FOR_PREVIOUS = 'wait_for_previous';

/** What rules may say about a tool of an MCP server besides its name. */
export interface ToolOrigin {
  serverName: string;
  serverToolName?: string;
  isAgentServer?: boolean;
  toolAnnotations?: Record<string, unknown>;
}

export interface DeclarationFilter {
  /**
   * True when no call of the tool could run now.
   * @param origin of a tool of an MCP server
   */
  isAlwaysDenied(toolName: string, origin?: ToolOrigin): boolean;
  /** True when a call of the tool is answered as if there were no such tool. */
  isHidden?(toolName: string): boolean;
}

/** Whether a tool is declared to this model; tools without an entry always are. */
export type DeclaredFor = (modelId: string) => boolean;

/** Where tools come from that are not built in. */
export interface ToolSource {
  discover(): Promise<readonly AnyDeclarativeTool[]>;
}

export class ToolRegistry implements DeferredTools {
  private tools = new Map<string, AnyDeclarativeTool>();
  private isSorted = true;
  private readonly sources: ToolSource[] = [];
  private readonly declaredFor = new Map<string, DeclaredFor>();
  private readonly sizes = new DeclarationSizes();
  /** The tools that the last request listed by name only. */
  private deferral: { modelId: string; tools: readonly AnyDeclarativeTool[] } = { modelId: '', tools: [] };
  /** In the order of fetching. Names, not tools, because a server may reconnect. */
  private readonly fetched = new Set<string>();

  constructor(
    private readonly filter: DeclarationFilter,
    /** Called with every registered tool. */
    private readonly onRegistered: (tool: AnyDeclarativeTool) => void = () => undefined,
  ) {}

  /** Same name twice: the last wins. */
  registerTool(tool: AnyDeclarativeTool, declaredFor?: DeclaredFor): void {
    if (this.tools.has(tool.name)) log.warn('tool registered twice', { name: tool.name });
    this.tools.set(tool.name, tool);
    this.isSorted = false;
    this.onRegistered(tool);
    if (declaredFor) this.declaredFor.set(tool.name, declaredFor);
    else this.declaredFor.delete(tool.name);
  }

  /** A source that `discoverAllTools()` asks: an MCP server, the project's discovery command. */
  addSource(source: ToolSource): void {
    this.sources.push(source);
  }

  /** Registers what all sources offer now; one that fails is logged and skipped. */
  async discoverAllTools(): Promise<void> {
    const found = await Promise.allSettled(this.sources.map((source) => source.discover()));
    for (const result of found) {
      if (result.status === 'rejected') log.warn('tools were not discovered', result.reason);
      else for (const tool of result.value) this.registerTool(tool);
    }
  }

  unregisterTool(name: string): void {
    this.tools.delete(name);
    this.declaredFor.delete(name);
  }

  getTool(name: string): AnyDeclarativeTool | undefined {
    return this.tools.get(canonicalToolName(name)) ?? findBySpelling(name, this.tools.values());
  }

  /** A tool that the model may call; undefined for a hidden one. */
  getCallableTool(name: string): AnyDeclarativeTool | undefined {
    const tool = this.getTool(name);
    return tool && this.filter.isHidden?.(tool.name) ? undefined : tool;
  }

  getAllTools(): AnyDeclarativeTool[] {
    return [...this.tools.values()];
  }

  getAllToolNames(): string[] {
    return [...this.tools.keys()];
  }

  /** Order of declaration: built-in tools, discovered ones, then those of MCP servers by server name. */
  sortTools(): void {
    const sorted = [...this.tools.values()].sort(
      (a, b) => originRank(a) - originRank(b) || compare(serverOf(a), serverOf(b)),
    );
    this.tools = new Map(sorted.map((tool) => [tool.name, tool]));
    this.isSorted = true;
  }

  /** What the model may call now. With options, too many tools are listed by name and fetched on demand. */
  getFunctionDeclarations(modelId = '', options?: DeferralOptions): FunctionDeclaration[] {
    if (!this.isSorted) this.sortTools();
    const tools = this.declarableTools(modelId);
    const deferred = options ? this.chooseDeferred(tools, modelId, options) : [];
    if (options) this.deferral = { modelId, tools: deferred };
    const search = this.tools.get(SEARCH_TOOLS);
    if (deferred.length === 0 || !search) return tools.map((tool) => declare(tool, modelId));
    const held = new Map(deferred.map((tool) => [tool.name, tool]));
    // Fetched tools stay at the end, so that the prompt cache keeps everything before them.
    const fetched = [...this.fetched].flatMap((name) => held.get(name) ?? []);
    return [
      ...tools.filter((tool) => !held.has(tool.name)).map((tool) => declare(tool, modelId)),
      withListing(declare(search, modelId), deferred),
      ...fetched.map((tool) => declare(tool, modelId)),
    ];
  }

  /** Names of all tools that could be called now, deferred ones included; the system prompt depends on it. */
  getCallableToolNames(modelId = ''): string[] {
    if (!this.isSorted) this.sortTools();
    return this.declarableTools(modelId).map(({ name }) => name);
  }

  /** Tools that the last request listed by name only, including those fetched since. */
  getDeferredTools(): readonly AnyDeclarativeTool[] {
    return this.deferral.tools;
  }

  /** Declares deferred tools from the next request on, for the rest of the session. */
  fetch(names: readonly string[]): FunctionDeclaration[] {
    const { modelId, tools } = this.deferral;
    return names.flatMap((name) => {
      const tool = tools.find((item) => item.name === name);
      if (!tool) return [];
      this.fetched.add(name);
      return declare(tool, modelId);
    });
  }

  /** The answer to a model that called a tool which does not exist. */
  describeMissing(name: string): string {
    const { name: hidden } = this.getTool(name) ?? {};
    if (hidden !== undefined)
      return (
        `Tool "${hidden}" not found: no rule allows it in a headless run. Continue without it, or tell the user to ` +
        'allow commands by a policy, tools.allowed or --allowed-tools.'
      );
    const near = nearestNames(name, this.getAllToolNames(), 3);
    const hint = near.length > 0 ? ` Did you mean ${near.map((item) => `"${item}"`).join(', ')}?` : '';
    return `Tool "${name}" not found in registry.${hint} Use one of the declared tools.`;
  }

  private declarableTools(modelId: string): AnyDeclarativeTool[] {
    return [...this.tools.values()].filter(
      (tool) =>
        tool.name !== SEARCH_TOOLS &&
        !this.filter.isAlwaysDenied(tool.name, originOf(tool)) &&
        this.declaredFor.get(tool.name)?.(modelId) !== false,
    );
  }

  /** Empty while all declarations fit, or when the model has no `search_tools` to fetch them with. */
  private chooseDeferred(
    tools: readonly AnyDeclarativeTool[],
    modelId: string,
    options: DeferralOptions,
  ): AnyDeclarativeTool[] {
    const deferrable = tools.filter(({ deferUnder }) => deferUnder !== undefined);
    const canSearch = this.tools.has(SEARCH_TOOLS) && !this.filter.isAlwaysDenied(SEARCH_TOOLS);
    if (deferrable.length === 0 || !canSearch) return [];
    let tokens = 0;
    for (const tool of tools) tokens += this.sizes.tokensOf(tool, modelId, declare, options);
    return tokens > declarationLimit(options) ? deferrable : [];
  }
}

function declare(tool: AnyDeclarativeTool, modelId: string): FunctionDeclaration {
  return withWaitForPrevious(tool.getSchema(modelId));
}

function withListing(
  search: FunctionDeclaration,
  deferred: readonly AnyDeclarativeTool[],
): FunctionDeclaration {
  return { ...search, description: `${search.description}\n${listDeferred(deferred)}` };
}

function originOf({
  serverName,
  mcpContext,
  isAgentServer,
  toolAnnotations,
}: AnyDeclarativeTool): ToolOrigin | undefined {
  if (serverName === undefined) return undefined;
  return {
    serverName,
    ...(mcpContext && { serverToolName: mcpContext.tool_name }),
    ...(isAgentServer && { isAgentServer }),
    ...(toolAnnotations && { toolAnnotations }),
  };
}

function originRank({ name }: AnyDeclarativeTool): number {
  if (name.startsWith('mcp_')) return 2;
  return name.startsWith('discovered_tool_') ? 1 : 0;
}

function serverOf({ name, deferUnder = '' }: AnyDeclarativeTool): string {
  return name.startsWith('mcp_') ? deferUnder : '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Without a description: the name says it, and every request would repeat the text for every tool. */
function withWaitForPrevious(declaration: FunctionDeclaration): FunctionDeclaration {
  const schema = declaration.parametersJsonSchema;
  if (schema.additionalProperties === false) return declaration;
  const properties: Record<string, JsonSchema> = {
    ...schema.properties,
    [WAIT_FOR_PREVIOUS]: { type: 'boolean' },
  };
  return { ...declaration, parametersJsonSchema: { ...schema, properties } };
}

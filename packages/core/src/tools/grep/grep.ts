/** `grep_search`: lines of files that match a pattern. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import type { PolicyUpdateOptions } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { GREP_SEARCH } from '../../protocol/tool-names.js';
import type { TelemetryHost } from '../../telemetry/record.js';
import type { FileHost } from '../../workspace/host.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { acceptSynonyms, exactRule } from '../path-param.js';
import { findSearchPath, type SearchPathHost, searchPathProblem } from '../search-path.js';
import {
  BaseDeclarativeTool,
  type ExecuteOptions,
  Kind,
  type ToolLocation,
  type ToolResult,
} from '../tools.js';
import prose from './grep.md';

export interface GrepParams {
  pattern: string;
  dir_path?: string;
  include_pattern?: string;
  exclude_pattern?: string;
  exclude_glob?: string;
  names_only?: boolean;
  case_sensitive?: boolean;
  fixed_strings?: boolean;
  context?: number;
  before?: number;
  after?: number;
  no_ignore?: boolean;
  max_matches_per_file?: number;
  total_max_matches?: number;
  /** Accepted, not declared. */
  respect_git_ignore?: boolean;
  respect_gemini_ignore?: boolean;
}

export type GrepHost = SearchPathHost &
  TelemetryHost &
  Pick<FileHost, 'getFileService'> & {
    /** `tools.useRipgrep`. */
    getUseRipgrep(): boolean;
    /** `context.fileFiltering.searchTimeout`; raises the limit of 30 s. */
    getSearchTimeoutMs?(): number;
    getToolSandbox?(): ToolSandbox | undefined;
  };

const MIN_TIMEOUT_MS = 30_000;
const SYNONYMS = { path: 'dir_path', file_path: 'dir_path', include: 'include_pattern' };

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1 },
    dir_path: { type: 'string' },
    include_pattern: { type: 'string' },
    exclude_pattern: { type: 'string' },
    exclude_glob: { type: 'string' },
    names_only: { type: 'boolean' },
    case_sensitive: { type: 'boolean' },
    fixed_strings: { type: 'boolean' },
    context: { type: 'integer', minimum: 0 },
    after: { type: 'integer', minimum: 0 },
    before: { type: 'integer', minimum: 0 },
    no_ignore: { type: 'boolean' },
    max_matches_per_file: { type: 'integer', minimum: 1 },
    total_max_matches: { type: 'integer', minimum: 1 },
  },
  required: ['pattern'],
});

const ACCEPTED: JsonSchema = {
  ...schema,
  properties: {
    ...schema.properties,
    respect_git_ignore: { type: 'boolean' },
    respect_gemini_ignore: { type: 'boolean' },
  },
};

export class GrepTool extends BaseDeclarativeTool<GrepParams, ToolResult> {
  static readonly Name = GREP_SEARCH;

  constructor(
    private readonly host: GrepHost,
    messageBus: MessageBus,
  ) {
    super(GrepTool.Name, 'SearchText', description, Kind.Search, schema, messageBus);
  }

  protected override normalizeParams(params: GrepParams): GrepParams {
    return acceptSynonyms(params, SYNONYMS);
  }

  protected override validationSchema(): JsonSchema {
    return ACCEPTED;
  }

  protected override validateToolParamValues(params: GrepParams): string | null {
    return searchPathProblem(this.host, params.dir_path, { allowFile: true });
  }

  protected createInvocation(...call: InvocationArguments<GrepParams>) {
    return new GrepInvocation(this.host, ...call);
  }
}

class GrepInvocation extends HostedInvocation<GrepHost, GrepParams> {
  getDescription(): string {
    const { pattern, include_pattern: include, dir_path: path } = this.params;
    return `'${pattern}'${include ? ` in ${include}` : ''}${path ? ` within ${path}` : ''}`;
  }

  override toolLocations(): ToolLocation[] {
    const found = findSearchPath(this.host, this.params.dir_path, { allowFile: true });
    return 'problem' in found ? [] : found.paths.map(({ path }) => ({ path }));
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return exactRule('pattern', this.params.pattern);
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { grepSearch } = await import('./search.js');
    const timeoutMs = Math.max(MIN_TIMEOUT_MS, this.host.getSearchTimeoutMs?.() ?? 0);
    return grepSearch(this.params, this.host, { signal: abortSignal, timeoutMs });
  }
}

/** `glob`: files by name pattern, the recently changed first. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { PolicyUpdateOptions } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { GLOB } from '../../protocol/tool-names.js';
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
import prose from './glob.md';

export interface GlobParams {
  pattern: string;
  dir_path?: string;
  case_sensitive?: boolean;
  respect_git_ignore?: boolean;
  respect_gemini_ignore?: boolean;
  /** Further globs to leave out. Accepted, not declared. */
  ignore?: string[];
}

export type GlobHost = SearchPathHost & Pick<FileHost, 'getFileService'>;

const SYNONYMS = { directory: 'dir_path', path: 'dir_path' };

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1 },
    dir_path: { type: 'string' },
    case_sensitive: { type: 'boolean' },
    respect_git_ignore: { type: 'boolean' },
    respect_gemini_ignore: { type: 'boolean' },
  },
  required: ['pattern'],
});

const ACCEPTED: JsonSchema = {
  ...schema,
  properties: { ...schema.properties, ignore: { type: 'array', items: { type: 'string' } } },
};

export class GlobTool extends BaseDeclarativeTool<GlobParams, ToolResult> {
  static readonly Name = GLOB;

  constructor(
    private readonly host: GlobHost,
    messageBus: MessageBus,
  ) {
    super(GlobTool.Name, 'FindFiles', description, Kind.Search, schema, messageBus);
  }

  protected override normalizeParams(params: GlobParams): GlobParams {
    return acceptSynonyms(params, SYNONYMS);
  }

  protected override validationSchema(): JsonSchema {
    return ACCEPTED;
  }

  protected override validateToolParamValues(params: GlobParams): string | null {
    if (params.pattern.trim() === '') return 'The pattern must be non-empty.';
    if (params.pattern.split('/').includes('..')) {
      return 'The pattern must not contain "..": name the directory with dir_path.';
    }
    return searchPathProblem(this.host, params.dir_path, { allowFile: false });
  }

  protected createInvocation(...call: InvocationArguments<GlobParams>) {
    return new GlobInvocation(this.host, ...call);
  }
}

class GlobInvocation extends HostedInvocation<GlobHost, GlobParams> {
  getDescription(): string {
    const { pattern, dir_path: path } = this.params;
    return `'${pattern}'${path ? ` within ${path}` : ''}`;
  }

  override toolLocations(): ToolLocation[] {
    const found = findSearchPath(this.host, this.params.dir_path, { allowFile: false });
    return 'problem' in found ? [] : found.paths.map(({ path }) => ({ path }));
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return exactRule('pattern', this.params.pattern);
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { findByGlob } = await import('./find.js');
    return findByGlob(this.params, this.host, abortSignal);
  }
}

/** `read_many_files`: all files that match some paths or globs, one after the other. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { PolicyUpdateOptions } from '../../protocol/confirmation.js';
import { READ_MANY_FILES } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { FILTERING_SCHEMA } from '../filtering-param.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { exactRule } from '../path-param.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult } from '../tools.js';
import type { ReadManyFilesHost, ReadManyFilesParams } from './params.js';
import prose from './read-many-files.md';

export type { ReadManyFilesHost, ReadManyFilesParams };

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    include: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
    exclude: { type: 'array', items: { type: 'string', minLength: 1 } },
    recursive: { type: 'boolean' },
    useDefaultExcludes: { type: 'boolean' },
    file_filtering_options: FILTERING_SCHEMA,
  },
  required: ['include'],
});

export class ReadManyFilesTool extends BaseDeclarativeTool<ReadManyFilesParams, ToolResult> {
  static readonly Name = READ_MANY_FILES;

  constructor(
    private readonly host: ReadManyFilesHost,
    messageBus: MessageBus,
  ) {
    super(ReadManyFilesTool.Name, 'ReadManyFiles', description, Kind.Read, schema, messageBus);
  }

  protected override normalizeParams(params: ReadManyFilesParams): ReadManyFilesParams {
    const { include } = params;
    // Models give a single pattern as plain text.
    return typeof include === 'string' ? { ...params, include: [include] } : params;
  }

  protected createInvocation(...call: InvocationArguments<ReadManyFilesParams>) {
    return new ReadManyFilesInvocation(this.host, ...call);
  }
}

class ReadManyFilesInvocation extends HostedInvocation<ReadManyFilesHost, ReadManyFilesParams> {
  getDescription(): string {
    const { include, exclude = [] } = this.params;
    const without = exclude.length > 0 ? `, without ${exclude.join(', ')}` : '';
    return `Files matching ${include.join(', ')}${without}`;
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return exactRule('include', this.params.include);
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { readManyFiles } = await import('./read-all.js');
    return readManyFiles(this.host, this.params, abortSignal);
  }
}

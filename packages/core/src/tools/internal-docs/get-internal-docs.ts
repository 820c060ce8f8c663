/** `get_internal_docs`: this program's own documentation, for the agent that answers questions about it. */
import type { MessageBus } from '../../bus/message-bus.js';
import { describeTool } from '../describe-tool.js';
import type { InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, BaseToolInvocation, Kind, type ToolResult } from '../tools.js';
import prose from './get-internal-docs.md';

export interface GetInternalDocsParams {
  path?: string;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { path: { type: 'string' } },
});

export class GetInternalDocsTool extends BaseDeclarativeTool<GetInternalDocsParams, ToolResult> {
  static readonly Name = 'get_internal_docs';

  constructor(messageBus: MessageBus) {
    super(GetInternalDocsTool.Name, 'GetInternalDocs', description, Kind.Think, schema, messageBus);
  }

  protected createInvocation(...call: InvocationArguments<GetInternalDocsParams>) {
    return new GetInternalDocsInvocation(...call);
  }
}

class GetInternalDocsInvocation extends BaseToolInvocation<GetInternalDocsParams, ToolResult> {
  getDescription(): string {
    return this.params.path ? `Reading ${this.params.path}` : 'Listing the documentation';
  }

  protected async run(): Promise<ToolResult> {
    const { findDocsFolder, listDocs, readDoc } = await import('./docs-folder.js');
    const folder = findDocsFolder();
    return this.params.path ? readDoc(folder, this.params.path) : listDocs(folder);
  }
}

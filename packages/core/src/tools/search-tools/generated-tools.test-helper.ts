/** Many tools as an MCP server would bring them, for tests of what is declared when there are too many. */
import { makeBus } from '@gemini-cli/test-utils';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { DeclarativeTool, Kind, type ToolInvocation, type ToolResult } from '../tools.js';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    project: { type: 'string', description: 'Name or number of the project, as the server knows it.' },
    filter: { type: 'string', description: 'Expression that the results must satisfy.' },
    page: { type: 'integer', description: 'Page of the results, from 1.' },
  },
  required: ['project'],
};

export class GeneratedTool extends DeclarativeTool<object, ToolResult> {
  override readonly deferUnder?: string;

  constructor(
    name: string,
    deferUnder?: string,
    description = `Does ${name}.`,
    schema: JsonSchema = { type: 'object', properties: {} },
  ) {
    super(name, name, description, Kind.Other, schema, makeBus());
    this.deferUnder = deferUnder;
  }

  build(): ToolInvocation<object, ToolResult> {
    throw new Error('not called here');
  }
}

/** `count` tools spread over servers, each with a schema of ordinary size. */
export function serverTools(count: number, servers = ['github', 'jira', 'metrics']): GeneratedTool[] {
  return Array.from({ length: count }, (_, index) => {
    const server = servers[index % servers.length] as string;
    const description = `Number ${index} of the operations of ${server}: looks up, lists or changes records there.`;
    return new GeneratedTool(`mcp_${server}_operation_number_${index}`, server, description, SCHEMA);
  });
}

// The example server of the founding documents, with the schema as the 1.x SDK wants it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'my-server', version: '1.0.0' });

server.registerTool(
  'my_tool',
  { description: 'Does something', inputSchema: { input: z.string() } },
  async () => ({ content: [{ type: 'text', text: 'Result' }] }),
);

await server.connect(new StdioServerTransport());

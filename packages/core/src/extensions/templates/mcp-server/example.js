// An MCP server over stdin and stdout: the tool fetch_posts and the prompt poem-writer.
// Write nothing else to stdout; messages for people go to stderr.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const server = new Server(
  { name: 'example-mcp-server', version: '1.0.0' },
  { capabilities: { tools: {}, prompts: {} } },
);

// Stands for what a real server would fetch from a service.
const POSTS = [
  { id: 1, title: 'A first post', body: 'Posts have an id, a title and a body.' },
  { id: 2, title: 'Writing tools', body: 'A tool has a name, a description and a schema of its arguments.' },
  { id: 3, title: 'Writing prompts', body: 'A prompt is a slash command of the user.' },
];

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'fetch_posts',
      description: 'Fetches the latest posts, newest last.',
      inputSchema: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 1, description: 'How many posts to return. Default: all.' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name !== 'fetch_posts') throw new Error(`There is no tool ${params.name}.`);
  const limit = Number(params.arguments?.limit ?? POSTS.length);
  return { content: [{ type: 'text', text: JSON.stringify({ posts: POSTS.slice(-limit) }, null, 2) }] };
});

server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [
    {
      name: 'poem-writer',
      description: 'Writes a poem',
      arguments: [
        { name: 'title', description: 'Title of the poem', required: true },
        { name: 'mood', description: 'For example: cheerful' },
      ],
    },
  ],
}));

server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
  if (params.name !== 'poem-writer') throw new Error(`There is no prompt ${params.name}.`);
  const { title = 'Untitled', mood } = params.arguments ?? {};
  const text = `Write a short poem with the title "${title}"${mood ? ` in a ${mood} mood` : ''}.`;
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
});

await server.connect(new StdioServerTransport());

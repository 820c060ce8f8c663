/** Tests whose agent files may trust their own MCP servers. */
import { expect, it } from 'vitest';
import type { AgentSource } from '../types.js';
import { toLocalDefinition } from './local-fields.js';

it.each<[AgentSource['kind'], boolean]>([
  ['user', true],
  ['program', true],
  ['project', false],
  ['extension', false],
])('trust in an agent file of kind %s counts: %s', (kind, counts) => {
  const data = { name: 'a', description: 'd', mcp_servers: { own: { command: 'x', trust: true } } };
  const { mcpServers } = toLocalDefinition(data, '', { kind });
  expect(mcpServers?.['own']).toEqual({ command: 'x', ...(counts && { trust: true }) });
});

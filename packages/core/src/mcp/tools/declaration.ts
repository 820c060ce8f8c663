/** What a model is told about a tool of a server. */
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import { cleanServerText } from '../clean-text.js';
import type { McpToolDefinition } from '../definitions.js';
import { sanitizeSchema } from './sanitize-schema.js';

export function convertMcpToolToFunctionDeclaration(
  tool: Pick<McpToolDefinition, 'name'> & Partial<McpToolDefinition>,
  name = tool.name,
): FunctionDeclaration {
  return {
    name,
    description: cleanServerText(tool.description ?? ''),
    parametersJsonSchema: sanitizeSchema(tool.inputSchema ?? {}),
  };
}

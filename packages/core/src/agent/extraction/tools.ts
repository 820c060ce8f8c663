/** The tools of the extraction agent; its host decides what they may touch. */
import type { MessageBus } from '../../bus/message-bus.js';
import { EditTool } from '../../tools/edit/edit.js';
import { GlobTool } from '../../tools/glob/glob.js';
import { GrepTool } from '../../tools/grep/grep.js';
import { LSTool } from '../../tools/list-directory/list-directory.js';
import { ReadFileTool } from '../../tools/read-file/read-file.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import { WriteFileTool } from '../../tools/write-file/write-file.js';
import { EXTRACTION_AGENT } from './definition.js';
import { ReadSessionTool } from './read-session.js';
import type { ExtractionRequest } from './request.js';

export function registerExtractionTools(
  registry: ToolRegistry,
  bus: MessageBus,
  { host, shelf }: Pick<ExtractionRequest, 'host' | 'shelf'>,
): void {
  const tools = [
    new ReadSessionTool(shelf, bus),
    new ReadFileTool(host, bus),
    new WriteFileTool(host, bus),
    new EditTool(host, bus),
    new GlobTool(host, bus),
    new GrepTool(host, bus),
    new LSTool(host, bus),
  ];
  const allowed: readonly string[] = EXTRACTION_AGENT.toolConfig.tools;
  for (const tool of tools) if (allowed.includes(tool.name)) registry.registerTool(tool);
}

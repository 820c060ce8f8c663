/** The question in one sentence. */
import type { ConfirmationView } from '@gemini-cli/core';

export function questionOf(details: ConfirmationView): string {
  switch (details.type) {
    case 'edit':
      return 'Apply this change?';
    case 'exec':
      return details.rootCommands.length > 0
        ? `Allow running ${details.rootCommand || details.rootCommands.join(', ')}?`
        : 'Allow running this command?';
    case 'sandbox_expansion':
      return `Allow ${details.rootCommand || 'this command'} to do more than the sandbox permits?`;
    case 'mcp':
      return `Allow the tool "${details.toolName}" of the MCP server "${details.serverName}"?`;
    default:
      return 'Do you want to proceed?';
  }
}

/** What would be done, whole, as lines. */
import { type ConfirmationView, visibleText } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { breakText, wrapText } from '../text/columns.js';
import { diffBody } from './diff-body.js';
import type { ConfirmationRequest } from './request.js';

export function bodyLines(look: Look, { details, cwd }: ConfirmationRequest, width: number): string[] {
  switch (details.type) {
    case 'edit':
      return diffBody(look, details, width);
    case 'exec':
      return [
        ...commandsOf(details).flatMap((command) => breakText(tabless(command), width)),
        ...(cwd ? ['', dim(look, wrapText(`in ${visibleText(cwd)}`, width))] : []).flat(),
      ];
    case 'sandbox_expansion':
      return [...breakText(tabless(details.command), width), '', ...permissionLines(details, width)];
    case 'info':
      return infoLines(look, details, width);
    case 'mcp':
      return mcpLines(look, details, width);
    default:
      return [];
  }
}

function commandsOf({ command, commands }: { command: string; commands?: string[] }): string[] {
  return commands && commands.length > 1 ? commands.map((one, at) => `${at + 1}) ${one}`) : [command];
}

function permissionLines(
  { additionalPermissions }: Extract<ConfirmationView, { type: 'sandbox_expansion' }>,
  width: number,
): string[] {
  const { network, fileSystem } = additionalPermissions;
  const paths = (title: string, list: string[] = []) =>
    list.length > 0 ? [title, ...list.flatMap((path) => breakText(`  ${tabless(path)}`, width))] : [];
  return [
    'It asks for:',
    ...(network ? ['Network access'] : []),
    ...paths('Reading', fileSystem?.read),
    ...paths('Writing', fileSystem?.write),
  ];
}

function infoLines(
  look: Look,
  { prompt, urls = [] }: { prompt: string; urls?: string[] },
  width: number,
): string[] {
  const listed = urls.filter((url) => url !== prompt);
  return [
    ...wrapText(tabless(prompt), width),
    ...(listed.length > 0 ? ['', ...dim(look, ['Addresses:'])] : []),
    ...listed.flatMap((url) => breakText(`  ${tabless(url)}`, width)),
  ];
}

function mcpLines(look: Look, details: Extract<ConfirmationView, { type: 'mcp' }>, width: number): string[] {
  const { serverName, toolName, toolArgs, toolDescription } = details;
  const args = toolArgs && Object.keys(toolArgs).length > 0 ? JSON.stringify(toolArgs, null, 2) : undefined;
  return [
    ...wrapText(`MCP server: ${tabless(serverName)}`, width),
    ...wrapText(`Tool: ${tabless(toolName)}`, width),
    ...(args ? ['Arguments:', ...breakText(tabless(args), width)] : ['No arguments']),
    ...(toolDescription ? ['', ...dim(look, wrapText(tabless(toolDescription), width))] : []),
  ];
}

/** Shown details are free of what hides; once more does no harm, and a tab has no width of its own. */
function tabless(text: string): string {
  return visibleText(text).replaceAll('\t', '    ');
}

function dim({ paint, theme }: Look, lines: readonly string[]): string[] {
  return lines.map((line) => paint(line, { color: theme.text.secondary }));
}

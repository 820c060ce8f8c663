/** The full details of a call, as lines of plain text or of a diff. */
import { type ConfirmationView, visibleText } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { breakText, wrapText } from '../text/columns.js';
import { diffBody } from './diff-body.js';
import type { DetailsOf } from './props.js';

export function bodyLines(look: Look, details: ConfirmationView): string[] {
  const { width } = look;
  switch (details.type) {
    case 'edit':
      return diffBody(look, details);
    case 'exec':
      return commandsOf(details).flatMap((command) => breakText(tabless(command), width));
    case 'sandbox_expansion':
      return [...breakText(tabless(details.command), width), '', ...permissionLines(details, width)];
    case 'info':
      return infoLines(details, width);
    case 'mcp':
      return mcpLines(details, width);
    default:
      return [];
  }
}

/** Less important details below the body; empty: none. */
export function remarkOf(details: ConfirmationView, cwd: string | undefined): string {
  if (details.type === 'exec') return cwd ? `in ${visibleText(cwd)}` : '';
  return details.type === 'mcp' ? tabless(details.toolDescription ?? '') : '';
}

function commandsOf({ command, commands }: DetailsOf<'exec'>): string[] {
  return commands && commands.length > 1 ? commands.map((one, at) => `${at + 1}) ${one}`) : [command];
}

function permissionLines({ additionalPermissions }: DetailsOf<'sandbox_expansion'>, width: number): string[] {
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

function infoLines({ prompt, urls = [] }: DetailsOf<'info'>, width: number): string[] {
  const listed = urls.filter((url) => url !== prompt);
  return [
    ...wrapText(tabless(prompt), width),
    ...(listed.length > 0 ? ['', 'Addresses:'] : []),
    ...listed.flatMap((url) => breakText(`  ${tabless(url)}`, width)),
  ];
}

function mcpLines({ serverName, toolName, toolArgs }: DetailsOf<'mcp'>, width: number): string[] {
  const args = toolArgs && Object.keys(toolArgs).length > 0 ? JSON.stringify(toolArgs, null, 2) : undefined;
  return [
    ...wrapText(`MCP server: ${tabless(serverName)}`, width),
    ...wrapText(`Tool: ${tabless(toolName)}`, width),
    ...(args ? ['Arguments:', ...breakText(tabless(args), width)] : ['No arguments']),
  ];
}

/** Core has already made hidden characters visible; repeating it is harmless. Tabs vary in width. */
function tabless(text: string): string {
  return visibleText(text).replaceAll('\t', '    ');
}

/** `gemini mcp list`: every configured server with its real state. */
import { loadMcp, Redactor } from '@gemini-cli/core';
import { type McpServerRow, mcpRow, statusMark, statusWord } from '../../output/mcp-servers.js';
import { notice, oneLine } from '../../output/output.js';
import { isTerminal } from '../../terminal/descriptors.js';
import type { SubcommandIo } from '../subcommand.js';
import type { McpRequest } from './request.js';

export async function list(request: McpRequest, io: SubcommandIo): Promise<number> {
  const { inspectServers } = await loadMcp();
  const redactor = new Redactor();
  redactor.addEnvironment(io.env);
  const views = await inspectServers({
    ...request,
    onSecret: (secret) => redactor.addSecret(secret),
    notice: (message) => request.notice(redactor.redact(message)),
  });
  if (views.length === 0) {
    io.stdout('No MCP servers configured.\n');
    return 0;
  }
  if (!request.isTrusted)
    notice(
      io,
      'WARNING',
      'This folder is not trusted: MCP servers do not start here. Trust it in the interactive program.',
    );
  const rows = views.map((view) => mcpRow(view, (text) => redactor.redact(text)));
  const hasColor = isTerminal(1) && !io.env['NO_COLOR'];
  io.stdout(`Configured MCP servers:\n\n${rows.map((row) => `${lineOf(row, hasColor)}\n`).join('')}`);
  return 0;
}

const COLORS: Readonly<Partial<Record<McpServerRow['status'], string>>> = {
  connected: '\u001b[32m',
  connecting: '\u001b[33m',
  disconnected: '\u001b[31m',
};
const PLAIN = '\u001b[0m';

function lineOf(row: McpServerRow, hasColor: boolean): string {
  const { name, extension, target, transport, status } = row;
  const from = extension ? ` (from ${oneLine(extension)})` : '';
  const color = hasColor ? COLORS[status] : undefined;
  const mark = color ? `${color}${statusMark(row)}${PLAIN}` : statusMark(row);
  return `${mark} ${oneLine(name)}${from}: ${oneLine(target)} (${transport}) - ${statusWord(row)}`;
}

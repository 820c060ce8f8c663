/** `GET /listCommands`, `POST /executeCommand`. */
import { randomUUID } from 'node:crypto';
import { readJson } from '../http/body.js';
import { type Exchange, type Route, sendJson } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { SseWriter } from '../http/sse.js';
import type { CommandContext } from './command.js';
import { viewOf } from './command.js';
import { CommandError } from './command-error.js';
import { asCommandError, startCommand, wordsOf } from './run-command.js';
import { COMMANDS } from './table.js';

export interface CommandRouteParts {
  context: Omit<CommandContext, 'signal'>;
  bodyBytes: number;
  times: { pingMs: number; stalledMs: number };
}

export function commandRoutes(parts: CommandRouteParts): Route[] {
  return [
    {
      method: 'GET',
      pattern: /^\/listCommands$/,
      handle: async ({ response }) => sendJson(response, 200, { commands: COMMANDS.map(viewOf) }),
    },
    { method: 'POST', pattern: /^\/executeCommand$/, handle: (exchange) => execute(exchange, parts) },
  ];
}

async function execute({ request, response, signal }: Exchange, parts: CommandRouteParts): Promise<void> {
  const body = await readJson(request, parts.bodyBytes);
  try {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new CommandError(400, 'The body is {"command": "...", "args": ["..."]}.');
    const { command, args } = body as { command?: unknown; args?: unknown };
    if (typeof command !== 'string') throw new CommandError(400, 'The field command is missing.');
    if (args !== undefined && !Array.isArray(args))
      throw new CommandError(400, 'The field args is a list of texts.');
    const run = startCommand(wordsOf(command, args), { ...parts.context, signal });
    if (!run.events) return sendJson(response, 200, { name: run.name, data: await run.data });
    const writer = new SseWriter(response, parts.times);
    const id = `exec-${randomUUID()}`;
    try {
      for await (const result of run.events) await writer.send({ data: { jsonrpc: '2.0', id, result } });
    } catch (error) {
      const { message } = asCommandError(run.name, error);
      await writer.send({ data: { jsonrpc: '2.0', id, error: { code: -32000, message } } });
    }
    writer.end();
  } catch (error) {
    if (error instanceof CommandError) throw new HttpError(error.status, error.message);
    throw error;
  }
}

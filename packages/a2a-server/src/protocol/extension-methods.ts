/** Methods of the `development-tool` extension: `commands/get` and `command/execute`. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type CommandContext, viewOf } from '../commands/command.js';
import { CommandError } from '../commands/command-error.js';
import { asCommandError, startCommand, wordsOf } from '../commands/run-command.js';
import { COMMANDS } from '../commands/table.js';
import { sendJson } from '../http/exchange.js';
import type { Call } from './call.js';
import type { Streams } from './streams.js';

export interface ExtensionCall {
  id: string | number | null;
  response: ServerResponse;
  call: Call;
  streams: Streams;
}

const INVALID_PARAMS = -32602;
const SERVER_ERROR = -32000;

export class ExtensionMethods {
  constructor(private readonly context: Omit<CommandContext, 'signal'>) {}

  has(method: string): boolean {
    return method === 'commands/get' || method === 'command/execute';
  }

  async answer(
    method: string,
    params: unknown,
    { id, response, call, streams }: ExtensionCall,
  ): Promise<void> {
    if (method === 'commands/get')
      return sendJson(response, 200, { jsonrpc: '2.0', id, result: { commands: COMMANDS.map(viewOf) } });
    const failed = (error: unknown) => ({ jsonrpc: '2.0', id, error: rpcError(error) });
    try {
      const run = startCommand(pathOf(params), { ...this.context, signal: call.signal });
      const execution_id = randomUUID();
      if (!run.events) {
        const result = { execution_id, status: 'COMPLETED', name: run.name, data: await run.data };
        return sendJson(response, 200, { jsonrpc: '2.0', id, result });
      }
      return await streams.write(response, call, framed(run.events, id, execution_id), { failed });
    } catch (error) {
      if (error instanceof CommandError) return sendJson(response, 200, failed(error));
      throw error;
    }
  }
}

async function* framed(events: AsyncIterable<unknown>, id: string | number | null, execution_id: string) {
  yield { jsonrpc: '2.0', id, result: { execution_id, status: 'STARTED' } };
  for await (const data of events) yield { jsonrpc: '2.0', id, result: { execution_id, data } };
  yield { jsonrpc: '2.0', id, result: { execution_id, status: 'COMPLETED' } };
}

function pathOf(params: unknown): string[] {
  if (typeof params !== 'object' || params === null)
    throw new CommandError(400, 'The parameters are {"command_path": ["..."], "args": "..."}.');
  const { command_path: path, args } = params as { command_path?: unknown; args?: unknown };
  return wordsOf(path, args);
}

function rpcError(error: unknown): { code: number; message: string } {
  const { status, message } = asCommandError('The command', error);
  return { code: status === 500 ? SERVER_ERROR : INVALID_PARAMS, message };
}

/** Commands that a client runs without a task: `GET /listCommands`, `POST /executeCommand`, `commands/get`, `command/execute`. */
import type { Config } from '@gemini-cli/core';
import type { TaskService } from '../contract.js';

export interface CommandArgument {
  name: string;
  description: string;
  isRequired?: boolean;
}

export interface CommandContext {
  service: TaskService;
  /** The folder of the server; undefined: `CODER_AGENT_WORKSPACE_PATH` is not set. */
  workspace?: string;
  /** Of the engine of that folder. */
  config(): Promise<Config>;
  signal: AbortSignal;
}

export interface Command {
  /** With the names of its parents: `memory show`. */
  name: string;
  description: string;
  arguments?: readonly CommandArgument[];
  subCommands?: readonly Command[];
  needsWorkspace?: boolean;
  /** What it says at once. */
  run?(context: CommandContext, args: readonly string[]): Promise<unknown>;
  /** What it says while it works. */
  stream?(context: CommandContext, args: readonly string[]): AsyncIterable<unknown>;
}

export interface CommandView {
  name: string;
  description: string;
  arguments: readonly CommandArgument[];
  subCommands: CommandView[];
}

export function viewOf({ name, description, arguments: args = [], subCommands = [] }: Command): CommandView {
  return { name, description, arguments: args, subCommands: subCommands.map(viewOf) };
}

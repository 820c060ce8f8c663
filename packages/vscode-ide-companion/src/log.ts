/** The lines of the output channel. */
import type * as vscode from 'vscode';

const SETTING = 'gemini-cli.debug.logging.enabled';

export interface Log {
  /** Only when the user has enabled it. */
  debug(line: string): void;
  error(line: string): void;
}

export function createLog(
  { workspace }: Pick<typeof vscode, 'workspace'>,
  channel: Pick<vscode.OutputChannel, 'appendLine'>,
): Log {
  const write = (line: string) => channel.appendLine(`${new Date().toISOString()} ${line}`);
  return {
    debug: (line) => {
      // Read each time: a changed setting acts at once.
      if (workspace.getConfiguration().get<boolean>(SETTING) === true) write(line);
    },
    error: write,
  };
}

/** `/ide` and its sub-commands. */
import { builtIn, lazy } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const ide = (name: 'status' | 'enable' | 'disable' | 'install') =>
  lazy(() => import('../builtin/ide.js'), name);

export const IDE: readonly SlashCommand[] = [
  builtIn('ide', 'Connection to your editor', {
    action: ide('status'),
    subCommands: [
      builtIn('status', 'Show the connection and the open files', {
        action: ide('status'),
        isSafeConcurrent: true,
      }),
      builtIn('enable', 'Connect to the editor, now and in later sessions', { action: ide('enable') }),
      builtIn('disable', 'Disconnect from the editor, now and in later sessions', { action: ide('disable') }),
      builtIn('install', 'Install the companion extension in the editor', { action: ide('install') }),
    ],
  }),
];

/** What is of use now is suggested; the others still run. */
export function ideCommandsFor(commands: readonly SlashCommand[], isConnected: boolean): SlashCommand[] {
  const useless = isConnected ? ['enable', 'install'] : ['disable'];
  return commands.map((command) => {
    if (command.name !== 'ide' || !command.subCommands) return command;
    const subCommands = command.subCommands.map((sub) =>
      useless.includes(sub.name) ? { ...sub, hidden: true } : sub,
    );
    return { ...command, subCommands };
  });
}

/** `gemini mcp remove` */
import type { LoadedSettings } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import { refusesHome, serverIn } from './add.js';
import { type Scope, settingsScope } from './names.js';

export async function remove(
  { name, scope }: { name: string; scope: Scope },
  settings: LoadedSettings,
  io: SubcommandIo,
): Promise<number> {
  if (refusesHome(scope, settings, io)) return 1;
  if (!serverIn(settings, scope, name)) {
    io.stdout(`Server "${oneLine(name)}" not found in ${scope} settings.\n`);
    return 0;
  }
  await settings.setValue(settingsScope(scope), ['mcpServers', name], undefined);
  io.stdout(`Server "${oneLine(name)}" removed from ${scope} settings.\n`);
  return 0;
}

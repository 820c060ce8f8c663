/** `gemini hooks migrate --from-claude` */
import { type LoadedSettings, loadHooks } from '@gemini-cli/core';
import { notice, oneLine } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';

export async function migrate(settings: LoadedSettings, cwd: string, io: SubcommandIo): Promise<number> {
  const { migrateFromClaude } = await loadHooks();
  const { from, to, added, events, duplicates, warnings } = await migrateFromClaude(cwd, settings);
  if (from === undefined) {
    io.stderr('No hooks were found in .claude/settings.local.json and .claude/settings.json of this folder.');
    return 1;
  }
  for (const warning of warnings) notice(io, 'WARNING', warning);
  for (const hook of duplicates) notice(io, 'INFO', `Skipped, it is there already: ${hook}`);
  if (added === 0) {
    io.stdout(`Nothing to add to ${oneLine(to)}.\n`);
    return 0;
  }
  const count = `${added} ${added === 1 ? 'hook' : 'hooks'}`;
  io.stdout(
    `Added ${count} from ${oneLine(from)} to ${oneLine(to)}: ${events.join(', ')}.\n` +
      'Check them: gemini hooks list. They run when this folder is trusted.\n',
  );
  return 0;
}

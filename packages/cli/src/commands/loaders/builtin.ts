/** Loads the built-in commands: names and descriptions now, their code when they run. */
import { APP } from '../builtin-table/app.js';
import { CONVERSATION } from '../builtin-table/conversation.js';
import { EXTENSIONS } from '../builtin-table/extensions.js';
import { IDE, ideCommandsFor } from '../builtin-table/ide.js';
import { NOT_YET } from '../builtin-table/not-yet.js';
import { WORK } from '../builtin-table/work.js';
import type { ICommandLoader, SlashCommand } from '../types.js';

export class BuiltinCommandLoader implements ICommandLoader {
  /** @param isInEditor an editor is connected */
  constructor(private readonly isInEditor: () => boolean = () => false) {}

  async loadCommands(): Promise<SlashCommand[]> {
    return ideCommandsFor(builtinCommands(), this.isInEditor());
  }
}

/** Synchronous, for a screen that does not wait for the other loaders. */
export function builtinCommands(): SlashCommand[] {
  return [...APP, ...CONVERSATION, ...WORK, ...EXTENSIONS, ...IDE, ...NOT_YET].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

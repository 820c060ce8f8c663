/** Follows the editor: a change of trust there takes effect here at once. */
import { type AgentEvent, messageOf } from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from './engine-host.js';
import { readFolderAgain } from './folder-again.js';

export class EditorWatch {
  private trusted: boolean | undefined;

  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
  ) {}

  observe(event: AgentEvent): void {
    if (event.type !== 'ide_changed' || event.isTrusted === this.trusted) return;
    this.trusted = event.isTrusted;
    readFolderAgain(this.context, this.engine).catch((error: unknown) =>
      this.context.notice(`The trust of this folder was not changed: ${messageOf(error)}`),
    );
  }
}

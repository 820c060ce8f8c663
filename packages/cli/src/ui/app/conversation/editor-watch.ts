/** Follows the editor: a change of trust there takes effect here at once. */
import { type AgentEvent, messageOf } from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from './engine-host.js';
import { readFolderAgain } from './folder-again.js';

const NOT_TRUSTED = 'Without the editor this folder is not trusted. To trust it: /permissions';

export class EditorWatch {
  private trusted: boolean | undefined;

  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
  ) {
    // The editor was asked when the folder was read; the same answer again changes nothing.
    const { source, trusted } = context.folder.trust;
    if (source === 'ide') this.trusted = trusted;
  }

  observe(event: AgentEvent): void {
    if (event.type !== 'ide_changed' || event.isTrusted === this.trusted) return;
    // An editor that is being connected has not said it yet.
    if (event.isTrusted === undefined && event.status !== 'disconnected') return;
    this.trusted = event.isTrusted;
    this.follow(event.isTrusted).catch((error: unknown) =>
      this.context.notice(`The trust of this folder was not changed: ${messageOf(error)}`),
    );
  }

  private async follow(isTrusted: boolean | undefined): Promise<void> {
    const { context, engine } = this;
    const wasTrusted = context.folder.trust.trusted;
    await readFolderAgain(context, engine, isTrusted);
    const isLost = isTrusted === undefined && wasTrusted && !context.folder.trust.trusted;
    context.store.dispatch({ type: 'notice', message: NOT_TRUSTED, isOver: !isLost });
  }
}

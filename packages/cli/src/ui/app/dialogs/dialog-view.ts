/** The open dialog or question on the screen, drawn by Ink, and the user's answers to questions about tool calls. */
import { messageOf, ToolConfirmationOutcome, type ToolConfirmationPayload } from '@gemini-cli/core';
import { terminalSize } from '../../../terminal/first-paint.js';
import type { LiveProps } from '../../Live.js';
import type { AppContext } from '../context/app-context.js';
import { answerConfirmation } from '../conversation/confirmations.js';
import type { Conversation } from '../conversation/conversation.js';
import type { EngineHost } from '../conversation/engine-host.js';
import type { UserEditor } from '../terminal/user-editor.js';
import { dialogServices, type ServicePorts } from './dialog-services.js';
import type { Dialogs } from './dialogs.js';
import { LiveSurface } from './live-surface.js';

export interface DialogViewParts extends Pick<LiveProps, 'router' | 'look' | 'onReady' | 'onBusy'> {
  context: AppContext;
  engine: EngineHost;
  conversation: Conversation;
  dialogs: Dialogs;
  editor: UserEditor;
  ports: ServicePorts;
}

export class DialogView {
  readonly live: LiveSurface;
  private readonly frameListeners: (() => void)[] = [];

  constructor(private readonly parts: DialogViewParts) {
    const { context, engine, dialogs, router, look, ports, onReady, onBusy } = parts;
    const { store } = context;
    this.live = new LiveSurface({
      store,
      size: terminalSize,
      onFrame: () => {
        for (const listener of this.frameListeners) listener();
      },
      props: {
        store,
        router,
        look,
        services: () => dialogServices(context, engine, ports),
        onAnswer: (outcome, payload) => void this.answer(outcome, payload),
        onClose: (result) => dialogs.close(result),
        onReady,
        onBusy,
        onFailure: (error) => this.drop(error),
      },
    });
  }

  /** Ink has drawn a frame. */
  onFrame(listener: () => void): void {
    this.frameListeners.push(listener);
  }

  private async answer(outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): Promise<void> {
    const { context, engine, conversation, editor } = this.parts;
    const { config } = engine;
    if (!config) return;
    const edit = editor.proposalEditor();
    const isOfSubAgent = context.store.getState().confirmation?.subagent !== undefined;
    await answerConfirmation(config.getEvents(), context.store, outcome, payload, edit);
    // A refusal cancels the request; one with feedback is an answer to the model. A sub-agent looks for another way.
    if (outcome === ToolConfirmationOutcome.Cancel && !payload?.feedback && !isOfSubAgent)
      conversation.cancel();
  }

  private drop(error: unknown): void {
    const { context, dialogs } = this.parts;
    context.add({ type: 'error', text: `This cannot be shown: ${messageOf(error)}` });
    void this.answer(ToolConfirmationOutcome.Cancel);
    dialogs.close(undefined);
  }
}

/**
 * Optional lines of the conversation: the answering model (`ui.showModelInfoInChat`), sources (`ui.showCitations`),
 * errors that a retry may mend (`ui.errorVerbosity`).
 */
import type { AgentEventBody, Settings } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../../history/item.js';

export class ChatExtras {
  private model: string | undefined;

  constructor(
    private readonly ui: () => Settings['ui'],
    private readonly add: (item: HistoryItemWithoutId) => void,
  ) {}

  /** Called before the screen gets the event. @returns false: the event is not shown */
  pass(event: AgentEventBody): boolean {
    switch (event.type) {
      case 'citation':
        return this.ui()?.showCitations ?? false;
      case 'retry':
        if (this.ui()?.errorVerbosity === 'full') this.add({ type: 'warning', text: event.message });
        return true;
      case 'turn_started':
        this.model = undefined;
        return true;
      case 'model_turn_started':
        this.nameModel(event.model);
        return true;
      default:
        return true;
    }
  }

  /** Once per prompt, and again when another one takes over. */
  private nameModel(model: string): void {
    if (!this.ui()?.showModelInfoInChat || model === this.model) return;
    this.model = model;
    this.add({ type: 'info', text: `Answered by ${model}` });
  }
}

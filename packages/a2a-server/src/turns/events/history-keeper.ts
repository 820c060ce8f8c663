/** The messages of the agent as the task keeps them: one for each answer, thought and finished call. */
import type { Message, Part } from '@a2a-js/sdk';
import { dataPart, type EventFactory, type EventKind, textPart } from './event-factory.js';

export class HistoryKeeper {
  private answer = '';
  private readonly messages: Message[] = [];

  constructor(private readonly factory: EventFactory) {}

  addText(text: string): void {
    this.answer += text;
  }

  /** What was shown of the answer is void: it is made again. */
  discardAnswer(): void {
    this.answer = '';
  }

  add(kind: EventKind, part: Part): void {
    this.endAnswer();
    this.messages.push(this.factory.message(kind, [part]));
  }

  keep(message: Message): void {
    this.messages.push(message);
  }

  addData(kind: EventKind, value: unknown): void {
    this.add(kind, dataPart(value));
  }

  endAnswer(): void {
    if (this.answer === '') return;
    this.messages.push(this.factory.message('text-content', [textPart(this.answer)]));
    this.answer = '';
  }

  /** All since the last call. */
  take(): Message[] {
    this.endAnswer();
    return this.messages.splice(0);
  }
}

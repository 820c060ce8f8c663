/** Decides whether an answer without calls ends the prompt, or the model is asked to go on. */
import type { Message, Part } from '../../protocol/messages.js';

export interface LastWord {
  /** True: text is shown only when the prompt has come to its end. */
  readonly holdsBack: boolean;
  /** What is sent for the user's prompt. */
  opening(parts: Part[]): Part[];
  /** @throws when the answer is not what was asked for and repairing it is no use */
  after(
    history: readonly Message[],
    call: { promptId: string; model: string; signal: AbortSignal },
  ): Promise<{ message?: Message; content?: string } | undefined>;
}

/** What the model says last is the answer. */
export class PlainAnswers implements LastWord {
  readonly holdsBack = false;

  opening(parts: Part[]): Part[] {
    return parts;
  }

  async after(): Promise<undefined> {
    return undefined;
  }
}

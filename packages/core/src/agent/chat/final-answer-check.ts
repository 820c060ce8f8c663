/** Decides whether an answer without calls ends the prompt, or the model is asked to continue. */
import type { Message, Part } from '../../protocol/messages.js';

export interface FinalCall {
  promptId: string;
  model: string;
  signal: AbortSignal;
  /** The provider's, of the answer. */
  finishReason?: string;
}

export interface FinalAnswerCheck {
  /** True: text is shown only at the end of the prompt. */
  readonly holdsBack: boolean;
  /** True after tool calls that ended the work: the model is not asked again. Absent: never. */
  isDone?(): boolean;
  /** The parts sent for the user's prompt. */
  opening(parts: Part[]): Part[];
  /** @throws when the answer is invalid and cannot be repaired */
  after(
    history: readonly Message[],
    call: FinalCall,
  ): Promise<{ message?: Message; content?: string } | undefined>;
}

/** The first answer without calls is the last one. */
export class PlainAnswers implements FinalAnswerCheck {
  readonly holdsBack = false;

  opening(parts: Part[]): Part[] {
    return parts;
  }

  async after(): Promise<undefined> {
    return undefined;
  }
}

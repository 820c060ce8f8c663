/** The extraction agent is done when its suggestions can be used; it may correct them twice. */
import type { Message, Part } from '../../protocol/messages.js';
import type { FinalAnswerCheck } from '../chat/final-answer-check.js';

const MAX_CORRECTIONS = 2;

export class ReviewedAnswers implements FinalAnswerCheck {
  readonly holdsBack = false;
  private corrections = 0;

  constructor(private readonly review: () => Promise<string | undefined>) {}

  opening(parts: Part[]): Part[] {
    return parts;
  }

  async after(): Promise<{ message: Message } | undefined> {
    const problem = this.corrections < MAX_CORRECTIONS ? await this.review() : undefined;
    if (problem === undefined) return undefined;
    this.corrections++;
    return { message: { role: 'user', origin: 'correction', parts: [{ text: problem }] } };
  }
}

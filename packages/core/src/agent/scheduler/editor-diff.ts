/** A proposed edit that is also shown in the user's editor: the first answer decides, there or in the terminal. */
import type { Reply } from '../../bus/questions.js';
import { ToolConfirmationOutcome, type ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import type { ToolConfirmationAnswer } from '../../protocol/questions.js';

export interface EditorDiff {
  /** Never settles when the editor is gone. */
  readonly answer: Promise<{ status: 'accepted'; content: string } | { status: 'rejected' }>;
  /** @returns the content as the editor shows it now; undefined: unknown */
  close(): Promise<string | undefined>;
}

/** @returns undefined when no editor can show it */
export type OpenDiff = (
  edit: Pick<ToolEditConfirmationDetails, 'filePath' | 'newContent'>,
) => EditorDiff | undefined;

/** For one question. The diff is opened when the question is shown, not while others are before it. */
export class EditorAnswer {
  private diff: EditorDiff | undefined;
  private given: ToolConfirmationAnswer | undefined;

  constructor(
    private readonly details: ToolEditConfirmationDetails,
    private readonly openDiff: OpenDiff,
  ) {}

  open(): Promise<ToolConfirmationAnswer> {
    this.diff = this.openDiff(this.details);
    if (!this.diff) return new Promise(() => undefined);
    return this.diff.answer.then((answer) => {
      this.given = answerOf(answer);
      return this.given;
    });
  }

  /** After the question: the diff is closed, and a yes from the terminal takes what it showed. */
  async settle(reply: Reply<'tool_confirmation'>): Promise<Reply<'tool_confirmation'>> {
    const { diff } = this;
    if (!diff || (reply.status === 'answered' && reply.answer === this.given)) return reply;
    const content = await diff.close();
    if (reply.status !== 'answered' || content === undefined) return reply;
    const { outcome, payload } = reply.answer;
    if (!TAKES_CONTENT.has(outcome) || payload?.newContent !== undefined) return reply;
    if (withLf(content) === withLf(this.details.newContent)) return reply;
    return { ...reply, answer: { ...reply.answer, payload: { ...payload, newContent: content } } };
  }
}

/** Anything else does not approve this content: a refusal, or a change in another editor. */
const TAKES_CONTENT: ReadonlySet<ToolConfirmationOutcome> = new Set([
  ToolConfirmationOutcome.ProceedOnce,
  ToolConfirmationOutcome.ProceedAlways,
  ToolConfirmationOutcome.ProceedAlwaysAndSave,
  ToolConfirmationOutcome.ProceedAlwaysTool,
]);

function answerOf(answer: Awaited<EditorDiff['answer']>): ToolConfirmationAnswer {
  if (answer.status !== 'accepted') return { outcome: ToolConfirmationOutcome.Cancel };
  return { outcome: ToolConfirmationOutcome.ProceedOnce, payload: { newContent: answer.content } };
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

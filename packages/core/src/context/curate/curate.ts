/**
 * Repairs the history so that every provider accepts it. Valid messages stay the same objects, and so do repaired ones
 * from call to call, because request writers cache by object identity.
 */
import type { Message } from '../../protocol/messages.js';
import { answerCalls } from './curate-responses.js';
import { cleanModelRun, cleanUserMessage, isPlainAnswer } from './curate-turn.js';

/** Replaces the answer of an interrupted turn. */
const PLACEHOLDER: Message = Object.freeze<Message>({
  role: 'model',
  origin: 'model',
  parts: [{ text: '[No answer: the turn was interrupted.]' }],
});

/** Curates one conversation. Messages before the last turn can no longer change and are not checked again. */
export class HistoryCurator {
  private settledInput: Message[] = [];
  private settledOutput: Message[] = [];

  curate(history: readonly Message[]): readonly Message[] {
    this.forgetUnlessContinuedBy(history);
    const settled = lastBoundaryOf(history);
    if (settled > this.settledInput.length) {
      appendCurated(history, this.settledInput.length, settled, this.settledOutput);
      for (let index = this.settledInput.length; index < settled; index++) {
        this.settledInput.push(history[index] as Message);
      }
    }
    const output = this.settledOutput.slice();
    appendCurated(history, settled, history.length, output);
    return output;
  }

  private forgetUnlessContinuedBy(history: readonly Message[]): void {
    const { settledInput } = this;
    let index = 0;
    // The next message decides how the settled part ends, so there must still be a boundary.
    if (settledInput.length < history.length) {
      while (index < settledInput.length && settledInput[index] === history[index]) index++;
    }
    const isContinued = index === settledInput.length && (index === 0 || isBoundary(history, index));
    if (isContinued) return;
    this.settledInput = [];
    this.settledOutput = [];
  }
}

/** The whole history at once. */
export function curate(history: readonly Message[]): readonly Message[] {
  const output: Message[] = [];
  appendCurated(history, 0, history.length, output);
  return output;
}

function appendCurated(history: readonly Message[], start: number, end: number, output: Message[]): void {
  for (let index = start; index < end; ) {
    const message = history[index] as Message;
    if (message.role === 'user') {
      // A response here does not belong to a call.
      appendUser(message, output);
      index++;
      continue;
    }
    let runEnd = index + 1;
    while (runEnd < end && history[runEnd]?.role === 'model') runEnd++;
    let answersEnd = runEnd;
    if (runEnd === index + 1 && isPlainAnswer(message)) {
      if (output.length > 0) output.push(message);
    } else {
      while (answersEnd < end && isResponse(history[answersEnd] as Message)) answersEnd++;
      const run = cleanModelRun(history.slice(index, runEnd));
      // A conversation must begin with a user message.
      if (run.length > 0 && output.length > 0) {
        output.push(
          ...run,
          ...answerCalls(run, history.slice(runEnd, answersEnd), answersEnd < history.length),
        );
      }
    }
    index = answersEnd;
  }
}

function appendUser(message: Message, output: Message[]): void {
  const kept = cleanUserMessage(message);
  if (kept.parts.length === 0) return;
  const previous = output.at(-1);
  const continuesTurn = kept.origin === 'correction' || kept.isSteering === true;
  const interrupts = previous?.role === 'user' && isResponse(previous) && !continuesTurn;
  if (interrupts) output.push(PLACEHOLDER);
  output.push(kept);
}

function isResponse({ role, parts }: Message): boolean {
  return role === 'user' && parts.some(({ functionResponse }) => functionResponse !== undefined);
}

function isPrompt(message: Message | undefined): boolean {
  return message?.role === 'user' && message.origin === 'prompt' && !isResponse(message);
}

function lastBoundaryOf(history: readonly Message[]): number {
  for (let index = history.length - 1; index > 0; index--) {
    if (isBoundary(history, index)) return index;
  }
  return 0;
}

/** The turns before this index are complete, whatever follows: the model answers them, or the user continues. */
function isBoundary(history: readonly Message[], index: number): boolean {
  const message = history[index];
  return message?.role === 'model' ? history[index - 1]?.role === 'user' : isPrompt(message);
}

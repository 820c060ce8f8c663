/** Detects when a model repeats itself within one prompt: its calls, its text or its thoughts. */
import type { AgentEventBody } from '../protocol/agent-events.js';
import { type CallCycle, CallCycles, CYCLE_REPEATS } from './loops/call-cycles.js';
import { ProseLines } from './loops/prose-lines.js';
import { RepetitionWatch } from './loops/repetition-watch.js';

export interface LoopFinding {
  type:
    | 'consecutive_identical_tool_calls'
    | 'chanting_identical_sentences'
    | 'repeated_thoughts'
    | 'llm_detected_loop';
  /** What repeats, as a clause for messages to the model and the user. */
  detail: string;
  count: number;
}

const THOUGHT_REPEATS = 5;
const TEXT_REPEATS = 10;
/** Some providers stream thoughts word by word; the same short word five times is not a loop. */
const MIN_THOUGHT = 20;
const QUOTE_LENGTH = 100;

export class LoopDetector {
  private readonly calls = new CallCycles();
  private readonly lines = new ProseLines();
  private readonly repetitions = new RepetitionWatch();
  private thought = { text: '', count: 0 };

  constructor(private readonly options: { disabled: boolean }) {}

  /** For the rest of the session, on the user's request. */
  disable(): void {
    this.options.disabled = true;
  }

  /** Forgets everything seen. Also after a finding: the model gets a fresh chance. */
  startPrompt(): void {
    this.calls.clear();
    this.forgetWords();
  }

  observe(event: AgentEventBody): LoopFinding | undefined {
    switch (event.type) {
      case 'content':
        return this.onContent(event.text);
      case 'thought':
        return this.onThought(event.subject, event.description);
      case 'tool_requested':
        return this.onToolCall(event.request.name, event.request.args);
      case 'retry':
        if (event.discardsOutput) this.forgetWords();
        return undefined;
      default:
        return undefined;
    }
  }

  onContent(text: string): LoopFinding | undefined {
    if (this.options.disabled) return undefined;
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf('\n', from);
      const end = newline < 0 ? text.length : newline + 1;
      const { isProse } = this.lines;
      const line = text.slice(from, end);
      const reset = this.lines.read(line, newline >= 0);
      if (reset === 'before') this.repetitions.reset();
      const repeated = isProse ? this.repetitions.add(line) : undefined;
      if (repeated !== undefined) return repetitionFinding(repeated);
      if (reset === 'after') this.repetitions.reset();
      from = end;
    }
    return undefined;
  }

  onThought(subject: string, description: string): LoopFinding | undefined {
    const text = `${subject} ${description}`.trim();
    if (this.options.disabled || (subject === '' && text.length < MIN_THOUGHT)) return undefined;
    const count = text === this.thought.text ? this.thought.count + 1 : 1;
    this.thought = { text, count };
    if (count < THOUGHT_REPEATS) return undefined;
    const detail = `the same thought came ${count} times in a row: "${quote(subject || description)}"`;
    return { type: 'repeated_thoughts', detail, count };
  }

  onToolCall(name: string, args: unknown): LoopFinding | undefined {
    if (this.options.disabled) return undefined;
    this.forgetWords();
    const cycle = this.calls.add(name, args);
    return cycle && cycleFinding(cycle);
  }

  private forgetWords(): void {
    this.lines.clear();
    this.repetitions.reset();
    this.thought = { text: '', count: 0 };
  }
}

function repetitionFinding(repeated: string): LoopFinding {
  const detail = `the same text was written ${TEXT_REPEATS} times or more: "${quote(repeated)}"`;
  return { type: 'chanting_identical_sentences', detail, count: TEXT_REPEATS };
}

function cycleFinding({ names }: CallCycle): LoopFinding {
  const [name = ''] = names;
  const what =
    names.length === 1
      ? `the tool "${quote(name)}" was called ${CYCLE_REPEATS} times in a row with the same arguments`
      : `the same ${names.length} calls (${quote(names.join(', '))}) were made ${CYCLE_REPEATS} times in a row, in the same order and with the same arguments`;
  return { type: 'consecutive_identical_tool_calls', detail: what, count: CYCLE_REPEATS };
}

/** On one line, without control characters, cut to a length; surrogate pairs stay whole. */
export function quote(text: string): string {
  const letters = [...text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()];
  return letters.length <= QUOTE_LENGTH ? letters.join('') : `${letters.slice(0, QUOTE_LENGTH).join('')}…`;
}

/** The output format `text`: only the streamed model text on stdout. */
import type { AgentEventBody, Variables } from '@gemini-cli/core';
import { errorLine, hookNotice, notice, type Output, oneLine } from '../output/output.js';
import type { Formatter, RunIdentity, RunResult } from './formatter.js';

export class TextFormatter implements Formatter {
  private atLineStart = true;

  constructor(
    private readonly output: Output,
    private readonly env: () => Variables = () => process.env,
  ) {}

  begin(): void {}

  handle(event: AgentEventBody): void {
    switch (event.type) {
      case 'content':
        this.write(event.text);
        break;
      case 'model_turn_started':
      case 'tool_requested':
        this.finishLine();
        break;
      case 'retry':
        // Written text cannot be removed, so the new attempt starts on a new line.
        if (event.discardsOutput) this.finishLine();
        notice(this.output, 'WARNING', event.message);
        break;
      case 'hook_message':
        hookNotice(this.output, event);
        break;
      case 'warning':
        // A stop that a hook or tool demands is a normal end.
        if (event.code === 'stopped') this.output.stderr(oneLine(event.message));
        else notice(this.output, 'WARNING', event.message);
        break;
    }
  }

  end(_identity: RunIdentity, { error }: RunResult): void {
    this.finishLine();
    if (error) errorLine(this.output, error.message, this.env());
  }

  private write(text: string): void {
    if (text === '') return;
    this.output.stdout(text);
    this.atLineStart = text.endsWith('\n');
  }

  private finishLine(): void {
    if (!this.atLineStart) this.write('\n');
  }
}

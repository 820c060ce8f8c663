/** The output format `json`: one object at the end. */
import type { AgentEventBody } from '@gemini-cli/core';
import { escapeControls } from '../output/json-text.js';
import { hookNotice, notice, type Output } from '../output/output.js';
import type { Formatter, RunIdentity, RunResult } from './formatter.js';

export class JsonFormatter implements Formatter {
  /** Text of the current model turn; that of the last turn is the response. */
  private response = '';
  private begun = false;
  private readonly warnings: string[] = [];

  constructor(private readonly output: Output) {}

  begin(): void {
    this.begun = true;
  }

  handle(event: AgentEventBody): void {
    switch (event.type) {
      case 'model_turn_started':
        this.response = '';
        break;
      case 'content':
        this.response += event.text;
        break;
      case 'retry':
        if (event.discardsOutput) this.response = '';
        notice(this.output, 'WARNING', event.message);
        break;
      case 'hook_message':
        if (event.level === 'info') hookNotice(this.output, event);
        else this.warnings.push(`${event.name}: ${event.message}`);
        break;
      case 'warning':
        this.warnings.push(event.message);
    }
  }

  end({ sessionId }: RunIdentity, { error, metrics }: RunResult): void {
    const text = JSON.stringify(
      {
        session_id: sessionId,
        // A failed run may have neither; a successful one always has both.
        response: error && this.response === '' ? undefined : this.response,
        stats: this.begun ? metrics : undefined,
        error: error && { type: error.type, message: error.message, code: error.code },
        warnings: this.warnings.length > 0 ? this.warnings : undefined,
      },
      null,
      2,
    );
    const escaped = escapeControls(text);
    if (error) this.output.stderr(escaped);
    this.output.stdout(`${escaped}\n`);
  }
}

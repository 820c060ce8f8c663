/** `read_background_output`: the last lines that a background process has printed. */

import { messageOf } from '../../base/errors.js';
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { systemClock } from '../../platform/clock.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, type ExecuteOptions, Kind, type ToolResult, toolFailure } from '../tools.js';
import type { BackgroundHost } from './list-background-processes.js';
import { notOurs } from './process-state.js';
import prose from './read-background-output.md';

export interface ReadBackgroundOutputParams {
  pid: number;
  lines?: number;
  delay_ms?: number;
}

const DEFAULT_LINES = 100;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    pid: { type: 'integer' },
    lines: { type: 'integer', minimum: 1 },
    delay_ms: { type: 'integer', minimum: 0 },
  },
  required: ['pid'],
});

export class ReadBackgroundOutputTool extends BaseDeclarativeTool<ReadBackgroundOutputParams, ToolResult> {
  static readonly Name = 'read_background_output';

  constructor(
    private readonly host: BackgroundHost,
    messageBus: MessageBus,
  ) {
    super(
      ReadBackgroundOutputTool.Name,
      'Read Background Output',
      description,
      Kind.Read,
      schema,
      messageBus,
      false,
    );
  }

  protected createInvocation(...call: InvocationArguments<ReadBackgroundOutputParams>) {
    return new ReadInvocation(this.host, ...call);
  }
}

class ReadInvocation extends HostedInvocation<BackgroundHost, ReadBackgroundOutputParams> {
  getDescription(): string {
    return `Output of PID ${this.params.pid}`;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const { pid, lines = DEFAULT_LINES, delay_ms = 0 } = this.params;
    await systemClock.sleep(Math.min(delay_ms, LONGEST_TIMER_MS), abortSignal);
    try {
      const excerpt = this.host.getShellExecutionService().readBackground(pid, lines);
      if (!excerpt) return notOurs(pid);
      if (excerpt.lines.length === 0) return { llmContent: 'Log is empty.', returnDisplay: 'Log is empty.' };
      const { length } = excerpt.lines;
      const isWhole = length >= excerpt.totalLines;
      const header = isWhole ? 'Full Log Output:' : `Showing last ${length} of ${excerpt.totalLines} lines:`;
      const text = excerpt.lines.join('\n');
      return { llmContent: `${header}\n${wrapUntrusted(text)}`, returnDisplay: `${header}\n${text}` };
    } catch (error) {
      const message = `The output of PID ${pid} cannot be read: ${messageOf(error)}`;
      return toolFailure(message, ToolErrorType.EXECUTION_FAILED);
    }
  }
}

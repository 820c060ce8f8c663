/** The context trace: what the model was sent, and why (docs/models.md). One line per decision; long values become files. */
import type { TraceFolder } from '../../platform/storage/trace-folder.js';
import type { Message } from '../../protocol/messages.js';
import { ContextGraphBuilder } from '../graph/build.js';

export interface ContextTraceOptions {
  folder: TraceFolder;
  redact: (text: string) => string;
  now: () => number;
  /** Makes the names of files unique among the processes that write to the folder. */
  processId: number;
}

export interface RenderedRequest {
  model: string;
  promptId: string;
  messages: readonly Message[];
  /** False: it does not fit, and the user is told. */
  isSent: boolean;
}

const MAX_VALUE = 1_000;

export class ContextTrace {
  private readonly builder = new ContextGraphBuilder();
  private files = 0;

  constructor(private readonly options: ContextTraceOptions) {}

  rendered({ messages, ...request }: RenderedRequest): void {
    const { turns } = this.builder.build(messages);
    const renderedContext = turns.map(({ id, message: { role, parts } }) => ({
      id,
      content: { role, parts },
    }));
    this.write('Render', 'Render Context for LLM', { ...request, renderedContext });
  }

  /** The conversation is compressed before the request can be sent. */
  waitsForCompression(sizes: Record<string, number>): void {
    this.write('Budget', 'Hitting Synchronous Pressure Barrier', sizes);
  }

  /** Turns have left what is sent. */
  removed(sizes: Record<string, number>): void {
    this.write('Budget', 'GC Triggered.', sizes);
  }

  private write(component: string, action: string, details: Record<string, unknown>): void {
    const { folder, redact, now } = this.options;
    const time = new Date(now()).toISOString();
    const short = Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, this.shortened(name, value, time)]),
    );
    folder.append(`[${time}] [${component}] ${action} | Details: ${redact(JSON.stringify(short))}\n`);
  }

  private shortened(name: string, value: unknown, time: string): unknown {
    const text = JSON.stringify(value) ?? 'null';
    if (text.length <= MAX_VALUE) return value;
    const { folder, redact, processId } = this.options;
    const file = `${time.replaceAll(':', '-')}-${processId}-${++this.files}-${name}.json`;
    folder.save(file, redact(text));
    return { $asset: file };
  }
}

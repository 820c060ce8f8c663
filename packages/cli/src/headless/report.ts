/** Everything a headless run says: events to the formatter, failures of tools and the end to the right place. */
import {
  type AgentEventBody,
  type AgentRef,
  type ErrorInfo,
  emptyMetrics,
  isMainAgent,
  Redactor,
  recordMetrics,
  ToolErrorType,
  type Variables,
} from '@gemini-cli/core';
import { notice, type Output, oneLine } from '../output/output.js';
import { AnsiStripper, stripInvisible } from '../output/strip-ansi.js';
import { JsonFormatter } from './format-json.js';
import { StreamJsonFormatter } from './format-stream-json.js';
import { TextFormatter } from './format-text.js';
import type { Formatter, OutputFormat, RunIdentity } from './formatter.js';

export interface ReportOptions {
  format: OutputFormat;
  identity: RunIdentity;
  /** Keep terminal sequences in model text. */
  raw: boolean;
  output: Output;
}

type ChatCompressed = Extract<AgentEventBody, { type: 'chat_compressed' }>;

/** These end the run, which says so once. */
const SAID_AT_THE_END = new Set<string>([ToolErrorType.NO_SPACE_LEFT, ToolErrorType.STOP_EXECUTION]);

export class Report {
  private formatter: Formatter;
  private readonly metrics = emptyMetrics();
  private readonly stripper = new AnsiStripper();
  private readonly startedAt = Date.now();
  private ended = false;
  private cost: () => number | undefined = () => undefined;
  private redactor: Redactor | undefined;
  private masking: ReturnType<Redactor['stream']> | undefined;

  /** Completed by an `.env` file once the folder is known. */
  private env: Variables = process.env;

  constructor(private readonly options: ReportOptions) {
    this.formatter = createFormatter(options.format, options.output, () => this.env);
  }

  get identity(): RunIdentity {
    return this.options.identity;
  }

  get usedTools(): boolean {
    return this.metrics.tools.totalCalls > 0;
  }

  /** What the settings decide; they are read after the run has begun to be able to fail. */
  configure({ format, model, env }: { format: OutputFormat; model: string; env: Variables }): void {
    this.env = env;
    this.options.identity.model = model;
    if (format !== this.options.format)
      this.formatter = createFormatter(format, this.options.output, () => this.env);
    this.options.format = format;
  }

  /** About the start of the run, before there is a conversation. */
  warn(message: string): void {
    notice(this.options.output, 'WARNING', this.mask(message));
  }

  begin(prompt: string): void {
    this.formatter.begin(this.identity, this.mask(prompt));
  }

  /** An event of the session, or one of ours, which names no agent. */
  handle(event: AgentEventBody & { agent?: AgentRef }): void {
    recordMetrics(this.metrics, event);
    // What other agents do is their own; what they cost is counted.
    if (event.agent && !isMainAgent(event.agent)) return;
    if (event.type === 'content') {
      this.content(this.clean(this.masking ? this.masking.push(event.text) : event.text));
    } else {
      this.flush();
      const shown = this.redactor?.redactValue(event) ?? event;
      if (shown.type === 'tool_finished') this.mentionFailure(shown);
      if (shown.type === 'chat_compressed') this.mentionCompression(shown);
      this.formatter.handle(shown);
    }
  }

  /** From now on no secret is written out, however the model cuts it into pieces. */
  hideSecrets(redactor: Redactor): void {
    this.redactor = redactor;
    this.masking = redactor.stream();
  }

  /** The engine's ledger knows what the run cost. */
  countMoney(cost: () => number | undefined): void {
    this.cost = cost;
  }

  /** Does nothing the second time. */
  end(error?: ErrorInfo): void {
    if (this.ended) return;
    this.ended = true;
    this.flush();
    const durationMs = Date.now() - this.startedAt;
    const cost = this.cost();
    if (cost !== undefined) this.metrics.cost_usd = cost;
    this.formatter.end(this.identity, {
      metrics: this.metrics,
      durationMs,
      ...(error && { error: this.mask(error) }),
    });
  }

  /** Without secrets: all that are known by now. */
  mask<T>(value: T): T {
    return (this.redactor ?? secretsOf(this.env)).redactValue(value);
  }

  private flush(): void {
    const held = this.masking?.end() ?? '';
    this.masking = this.redactor?.stream();
    this.content(this.clean(held) + this.stripper.flush());
  }

  private clean(text: string): string {
    if (this.options.raw) return text;
    const stripped = this.stripper.push(text);
    // JSON escapes them, and its reader gets them back.
    return this.options.format === 'text' ? stripInvisible(stripped) : stripped;
  }

  private content(text: string): void {
    if (text !== '') this.formatter.handle({ type: 'content', text });
  }

  private mentionCompression({ status, originalTokens, newTokens }: ChatCompressed): void {
    if (status !== 'COMPRESSED' && status !== 'CONTENT_TRUNCATED') return;
    const message = `The conversation was shortened from about ${originalTokens} to ${newTokens} tokens.`;
    notice(this.options.output, 'INFO', message);
  }

  private mentionFailure({ call }: Extract<AgentEventBody, { type: 'tool_finished' }>): void {
    const { error } = call.response;
    if (call.status !== 'error' || SAID_AT_THE_END.has(error?.type ?? '')) return;
    const reason = error?.message ?? 'it failed without a message';
    this.options.output.stderr(oneLine(`Error executing tool ${call.request.name}: ${reason}`));
  }
}

/** Before the engine knows them. */
function secretsOf(env: Variables): Redactor {
  const redactor = new Redactor();
  redactor.addEnvironment(env);
  return redactor;
}

function createFormatter(format: OutputFormat, output: Output, env: () => Variables): Formatter {
  switch (format) {
    case 'text':
      return new TextFormatter(output, env);
    case 'json':
      return new JsonFormatter(output);
    case 'stream-json':
      return new StreamJsonFormatter(output);
  }
}

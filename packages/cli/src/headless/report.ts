/** All output of a headless run: cleans and masks events, passes them to the formatter, reports failed tools. */
import {
  type AgentEvent,
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
import { hookNotice, notice, type Output, oneLine } from '../output/output.js';
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

type HookMessage = Extract<AgentEventBody, { type: 'hook_message' }>;
type ChatCompressed = Extract<AgentEventBody, { type: 'chat_compressed' }>;

/** These errors end the run, which reports them itself. */
const REPORTED_AT_END = new Set<string>([ToolErrorType.NO_SPACE_LEFT, ToolErrorType.STOP_EXECUTION]);

/** Their work is counted, and shown apart from the answer. */
function isOfSubAgent(event: AgentEventBody & { agent?: AgentRef }): event is AgentEvent {
  return event.agent !== undefined && !isMainAgent(event.agent);
}

export class Report {
  private formatter: Formatter;
  private readonly metrics = emptyMetrics();
  private readonly stripper = new AnsiStripper();
  private readonly startedAt = Date.now();
  private ended = false;
  private cost: () => number | undefined = () => undefined;
  private redactor: Redactor | undefined;
  private masking: ReturnType<Redactor['stream']> | undefined;

  /** `configure` adds the variables of the `.env` file. */
  private env: Variables = process.env;

  constructor(private readonly options: ReportOptions) {
    this.formatter = createFormatter(options.format, options.output, () => this.env);
  }

  get identity(): RunIdentity {
    return this.options.identity;
  }

  get isText(): boolean {
    return this.options.format === 'text';
  }

  get usedTools(): boolean {
    return this.metrics.tools.totalCalls > 0;
  }

  /** Called once the settings are read; failures before that must be reported, too. */
  configure({ format, model, env }: { format: OutputFormat; model: string; env: Variables }): void {
    this.env = env;
    this.options.identity.model = model;
    if (format !== this.options.format)
      this.formatter = createFormatter(format, this.options.output, () => this.env);
    this.options.format = format;
  }

  /** For warnings before the conversation starts. */
  warn(message: string): void {
    notice(this.options.output, 'WARNING', this.mask(message));
  }

  begin(prompt: string): void {
    this.formatter.begin(this.identity, this.mask(prompt));
  }

  /** Takes events of the session, and events of the headless run, which name no agent. */
  handle(event: AgentEventBody & { agent?: AgentRef }): void {
    recordMetrics(this.metrics, event);
    // Hooks also speak outside a request: see `hookMessage`.
    if (event.type === 'hook_message') return;
    if (isOfSubAgent(event)) {
      if (event.type !== 'content') this.formatter.handleAgent?.(this.mask(event));
      return;
    }
    if (event.type === 'content') {
      this.content(this.clean(this.masking ? this.masking.push(event.text) : event.text));
    } else {
      this.flush();
      const shown = this.redactor?.redactValue(event) ?? event;
      if (shown.type === 'tool_finished') this.reportFailure(shown);
      if (shown.type === 'chat_compressed') this.reportCompression(shown);
      this.formatter.handle(shown);
    }
  }

  /** Messages of hooks come at any time, of any agent: also before the first event of the request and after its last. */
  hookMessage(event: HookMessage): void {
    const shown = this.mask({ ...event, message: oneLine(event.message), name: oneLine(event.name) });
    // Nothing comes after the result.
    if (this.ended) {
      hookNotice(this.options.output, shown);
      return;
    }
    this.flush();
    this.formatter.handle(shown);
  }

  /** Masks secrets from now on, even if the stream splits one into pieces. */
  hideSecrets(redactor: Redactor): void {
    this.redactor = redactor;
    this.masking = redactor.stream();
  }

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

  /** Masks all secrets that are known so far. */
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
    // JSON formats escape invisible characters instead.
    return this.options.format === 'text' ? stripInvisible(stripped) : stripped;
  }

  private content(text: string): void {
    if (text !== '') this.formatter.handle({ type: 'content', text });
  }

  private reportCompression({ status, originalTokens, newTokens }: ChatCompressed): void {
    if (status !== 'COMPRESSED' && status !== 'CONTENT_TRUNCATED') return;
    const message = `The conversation was shortened from about ${originalTokens} to ${newTokens} tokens.`;
    notice(this.options.output, 'INFO', message);
  }

  private reportFailure({ call }: Extract<AgentEventBody, { type: 'tool_finished' }>): void {
    const { error } = call.response;
    if (call.status !== 'error' || REPORTED_AT_END.has(error?.type ?? '')) return;
    const reason = error?.message ?? 'it failed without a message';
    this.options.output.stderr(oneLine(`Error executing tool ${call.request.name}: ${reason}`));
  }
}

/** The secrets of the environment, before the engine is started. */
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

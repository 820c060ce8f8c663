/** `web_fetch`: reads web pages, and answers a prompt about them. */
import type { MessageBus } from '../../bus/message-bus.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import type { GuardedHttp } from '../../platform/net/guarded-http.js';
import type { ToolCallConfirmationDetails } from '../../protocol/confirmation.js';
import { wordsFor } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import {
  BaseDeclarativeTool,
  type ExecuteOptions,
  type FunctionDeclaration,
  Kind,
  type ToolResult,
} from '../tools.js';
import type { WebHost } from '../web-host.js';
import { HostRate } from './host-rate.js';
import { ACCEPTED_SCHEMA, PROMPT_FORM, readRequest, URL_FORM, type WebFetchParams } from './params.js';

/** Tests replace these. */
export interface WebFetchPorts {
  http?: GuardedHttp;
  clock?: Clock;
  random?: () => number;
}

export class WebFetchTool extends BaseDeclarativeTool<WebFetchParams, ToolResult> {
  static readonly Name = 'web_fetch';
  private readonly rate: HostRate;

  constructor(
    private readonly host: WebHost,
    messageBus: MessageBus,
    private readonly ports: WebFetchPorts = {},
  ) {
    super(WebFetchTool.Name, 'WebFetch', PROMPT_FORM.description, Kind.Fetch, PROMPT_FORM.schema, messageBus);
    this.rate = new HostRate((ports.clock ?? systemClock).now);
  }

  override getSchema(modelId?: string): FunctionDeclaration {
    const { description, schema } = wordsFor(
      modelId,
      this.host.isDirectWebFetch?.() ? URL_FORM : PROMPT_FORM,
    );
    return { name: this.name, description, parametersJsonSchema: schema };
  }

  protected override validationSchema() {
    return ACCEPTED_SCHEMA;
  }

  protected override validateToolParamValues(params: WebFetchParams): string | null {
    const request = readRequest(params);
    return 'problem' in request ? request.problem : null;
  }

  protected createInvocation(...call: InvocationArguments<WebFetchParams>) {
    const { host, rate, ports } = this;
    return new WebFetchInvocation({ host, rate, ports }, ...call);
  }
}

export interface WebFetchContext {
  host: WebHost;
  rate: HostRate;
  ports: WebFetchPorts;
}

const MAX_SHOWN = 150;

class WebFetchInvocation extends HostedInvocation<WebFetchContext, WebFetchParams> {
  getDescription(): string {
    const { prompt = '', url = '' } = this.params;
    const text = (prompt.trim() || url.trim()).replace(/\s+/g, ' ');
    return `Reading the web: ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text}`;
  }

  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const request = readRequest(this.params);
    return {
      type: 'info',
      title: 'Confirm Web Fetch',
      prompt: this.params.prompt?.trim() || `Fetch ${this.params.url}`,
      // The addresses that are fetched, not as the model wrote them.
      urls: 'problem' in request ? [] : request.urls.map((url) => url.href),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  protected async run(options: ExecuteOptions): Promise<ToolResult> {
    const { runWebFetch } = await import('./run-web-fetch.js');
    return runWebFetch(this.host, this.params, options.abortSignal);
  }
}

/** The base of most invocations: one that works on its tool's host, the part of the session it may use. */
import type { MessageBus } from '../bus/message-bus.js';
import { BaseToolInvocation, type ToolResult } from './tools.js';

/** What a tool receives in `createInvocation` and passes on. */
export type InvocationArguments<TParams> = [
  params: TParams,
  messageBus: MessageBus,
  toolName?: string,
  toolDisplayName?: string,
];

export abstract class HostedInvocation<THost, TParams extends object> extends BaseToolInvocation<
  TParams,
  ToolResult
> {
  constructor(
    protected readonly host: THost,
    ...call: InvocationArguments<TParams>
  ) {
    super(...call);
  }
}

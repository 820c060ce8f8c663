/** What a tool says of itself reaches policy with each of its calls. */
import { expect, it } from 'vitest';
import { type DecisionContext, MessageBus } from '../bus/message-bus.js';
import { PolicyDecision } from '../protocol/confirmation.js';
import { BaseDeclarativeTool, BaseToolInvocation, Kind, type ToolResult } from './tools.js';

class Invocation extends BaseToolInvocation<object, ToolResult> {
  getDescription(): string {
    return 'looks';
  }
  protected async run(): Promise<ToolResult> {
    return { llmContent: '', returnDisplay: '' };
  }
}

class LookTool extends BaseDeclarativeTool<object, ToolResult> {
  constructor(bus: MessageBus) {
    super('look', 'Look', 'Looks.', Kind.Other, { type: 'object' }, bus, true, false, { readOnlyHint: true });
  }
  protected createInvocation(params: object, bus: MessageBus, name?: string, displayName?: string) {
    return new Invocation(params, bus, name, displayName);
  }
}

it('a rule about annotations applies to a tool that has them', async () => {
  const seen: DecisionContext[] = [];
  const bus = new MessageBus({
    check: async (_call, context) => {
      seen.push(context);
      return { decision: PolicyDecision.ALLOW };
    },
  });
  await new LookTool(bus).build({}).shouldConfirmExecute(new AbortController().signal);
  expect(seen).toEqual([expect.objectContaining({ toolAnnotations: { readOnlyHint: true } })]);
});

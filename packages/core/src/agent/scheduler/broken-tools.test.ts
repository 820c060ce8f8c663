/** Tools whose code fails outside `execute`: the model gets an answer, and the batch continues. */
import { expect, it } from 'vitest';
import { MessageBus } from '../../bus/message-bus.js';
import { MessageBusType, PolicyDecision } from '../../protocol/confirmation.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { DeclarativeTool, Kind, type ToolInvocation, type ToolResult } from '../../tools/tools.js';
import { Scheduler } from './scheduler.js';

type Invocation = ToolInvocation<object, ToolResult>;

class OneTool extends DeclarativeTool<object, ToolResult> {
  constructor(
    name: string,
    bus: MessageBus,
    private readonly changes: Partial<Invocation>,
  ) {
    super(name, name, 'test', Kind.Read, { type: 'object' }, bus);
  }
  build(params: object): Invocation {
    return {
      params,
      getDescription: () => 'work',
      toolLocations: () => [],
      shouldConfirmExecute: async () => false,
      execute: async () => ({ llmContent: 'done', returnDisplay: 'done' }),
      ...this.changes,
    };
  }
}

async function runWith(changes: Partial<Invocation>, decision: PolicyDecision) {
  const bus = new MessageBus({ check: async () => ({ decision }) });
  const registry = new ToolRegistry({ isAlwaysDenied: () => false });
  registry.registerTool(new OneTool('broken', bus, changes));
  registry.registerTool(new OneTool('sound', bus, {}));
  const scheduler = new Scheduler({
    registry,
    messageBus: bus,
    now: Date.now,
    outputLimits: () => ({ threshold: 0, directory: '', redact: same, redactForDisk: same }),
  });
  const requests = ['broken', 'sound'].map((name) => ({ callId: name, name, args: {}, promptId: 'p' }));
  const run = () => scheduler.schedule(requests, new AbortController().signal, () => undefined);
  return { run, bus };
}

const same = (text: string) => text;

it('runs a call that cannot describe itself, and the next one', async () => {
  const getDescription = () => {
    throw new Error('no words');
  };
  const { run } = await runWith({ getDescription }, PolicyDecision.ALLOW);
  expect((await run()).map(({ status, description }) => [status, description])).toEqual([
    ['success', undefined],
    ['success', 'work'],
  ]);
});

it('accepts only a clear approval from an editor', async () => {
  const shouldConfirmExecute: Invocation['shouldConfirmExecute'] = async () => ({
    type: 'edit',
    title: 'Edit',
    fileName: 'a',
    filePath: '/a',
    fileDiff: '',
    originalContent: '',
    newContent: 'x',
    onConfirm: async () => undefined,
    ideConfirmation: Promise.resolve(JSON.parse('{"status":"closed"}')),
  });
  const { run, bus } = await runWith({ shouldConfirmExecute }, PolicyDecision.ASK_USER);
  bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => undefined);
  expect((await run())[0]).toMatchObject({ status: 'cancelled' });
});

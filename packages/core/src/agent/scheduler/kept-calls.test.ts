/** When the snapshot of a call closes: with its end, unless a process keeps running. */
import { expect, it } from 'vitest';
import { MessageBus } from '../../bus/message-bus.js';
import type { SnapshotHandle, SnapshotRecord } from '../../platform/snapshots/types.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { BaseDeclarativeTool, BaseToolInvocation, Kind, type ToolResult } from '../../tools/tools.js';
import { CallSnapshots, type SnapshotStore } from '../call-snapshots.js';
import { Scheduler } from './scheduler.js';

interface Params {
  data: Record<string, unknown>;
}

class Invocation extends BaseToolInvocation<Params, ToolResult> {
  getDescription(): string {
    return 'types';
  }
  protected async run(): Promise<ToolResult> {
    return { llmContent: '', returnDisplay: '', data: this.params.data };
  }
}

class TypingTool extends BaseDeclarativeTool<Params, ToolResult> {
  constructor(bus: MessageBus) {
    super('type', 'Type', 'Types.', Kind.Execute, { type: 'object' }, bus);
  }
  protected createInvocation(params: Params, bus: MessageBus, name?: string, displayName?: string) {
    return new Invocation(params, bus, name, displayName);
  }
}

it.each([
  ['a process that has ended', { pid: 7, state: 'exited' }, true],
  ['a process that keeps running', { pid: 7, state: 'running' }, false],
  ['a command that was moved to the background', { pid: 7, command: 'make' }, false],
  ['a call that started nothing', {}, true],
])('knows whether the snapshot can close after %s', async (_case, data, isClosed) => {
  const bus = new MessageBus({ check: async () => ({ decision: PolicyDecision.ALLOW }) });
  const registry = new ToolRegistry({ isAlwaysDenied: () => false });
  registry.registerTool(new TypingTool(bus));
  const handle: SnapshotHandle = { id: 's', kind: 'command', uncovered: [], uncoveredCount: 0 };
  const closed: string[] = [];
  const store: SnapshotStore = {
    beforeToolCall: async () => handle,
    beforeCommand: async () => handle,
    afterCall: async ({ id }: SnapshotHandle) => {
      closed.push(id);
      return { uncovered: [], uncoveredCount: 0 } as Partial<SnapshotRecord> as SnapshotRecord;
    },
  };
  const same = (text: string) => text;
  const scheduler = new Scheduler({
    registry,
    messageBus: bus,
    now: Date.now,
    outputLimits: () => ({ threshold: 0, directory: '', redact: same, redactForDisk: same }),
    snapshots: new CallSnapshots({
      open: async () => store,
      changesNothing: async () => false,
      redact: same,
      notice: () => undefined,
    }),
  });
  const call = { callId: 'c', name: 'type', args: { data }, promptId: 'p' };
  await scheduler.schedule([call], new AbortController().signal, () => undefined);
  expect(closed).toEqual(isClosed ? ['s'] : []);
});

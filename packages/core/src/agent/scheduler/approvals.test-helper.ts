/** A scheduler over real file tools, and a front end that answers as told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHost, tempDir } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import { type DecisionSource, MessageBus } from '../../bus/message-bus.js';
import {
  MessageBusType,
  PolicyDecision,
  ToolConfirmationOutcome,
  type ToolConfirmationRequest,
  type ToolConfirmationResponse,
  type UpdatePolicy,
} from '../../protocol/confirmation.js';
import { EditTool } from '../../tools/edit/edit.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { WriteFileTool } from '../../tools/write-file/write-file.js';
import type { ApprovalPorts } from './approve.js';
import { Scheduler, type SchedulerOptions } from './scheduler.js';

export type Reply = Partial<ToolConfirmationResponse> | undefined;

export const yes: Reply = { confirmed: true, outcome: ToolConfirmationOutcome.ProceedOnce };
export const no: Reply = { confirmed: false, outcome: ToolConfirmationOutcome.Cancel };
export const change: Reply = { confirmed: true, outcome: ToolConfirmationOutcome.ModifyWithEditor };

export interface ApprovalRigOptions {
  check?: DecisionSource['check'];
  approvals?: ApprovalPorts;
  hooks?: SchedulerOptions['hooks'];
  journal?: SchedulerOptions['journal'];
}

export class ApprovalRig {
  readonly directory = tempDir('approvals-');
  readonly asked: ToolConfirmationRequest[] = [];
  readonly updates: UpdatePolicy[] = [];
  readonly bus: MessageBus;
  readonly registry = new ToolRegistry({ isAlwaysDenied: () => false });
  readonly scheduler: Scheduler;

  constructor({
    check = async () => ({ decision: PolicyDecision.ASK_USER }),
    ...rest
  }: ApprovalRigOptions = {}) {
    this.bus = new MessageBus({ check });
    this.bus.subscribe(MessageBusType.UPDATE_POLICY, (update) => this.updates.push(update));
    const host = makeHost(this.directory.path);
    this.registry.registerTool(new WriteFileTool(host, this.bus));
    this.registry.registerTool(new EditTool(host, this.bus));
    this.scheduler = new Scheduler({
      registry: this.registry,
      messageBus: this.bus,
      now: Date.now,
      outputLimits: () => ({ threshold: 0, directory: '', redact: same, redactForDisk: same }),
      ...rest,
    });
  }

  /** One reply for each question; undefined leaves it open. */
  reply(...replies: (Reply | ((request: ToolConfirmationRequest) => Reply))[]): void {
    this.bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, (request) => {
      this.asked.push(request);
      const next = replies.shift();
      const reply = typeof next === 'function' ? next(request) : next;
      if (!reply) return;
      this.bus.publish({
        type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
        correlationId: request.correlationId,
        confirmed: false,
        ...reply,
      });
    });
  }

  run(calls: [string, Record<string, unknown>][], signal = new AbortController().signal) {
    return this.scheduler.schedule(
      calls.map(([name, args], index) => ({ callId: `c${index}`, name, args, promptId: 'p' })),
      signal,
      () => undefined,
    );
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory.path, name), text);
  }

  read(name: string): string | undefined {
    try {
      return readFileSync(join(this.directory.path, name), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** The diff of the n-th question. */
  diff(index: number): string {
    const details = this.asked[index]?.details;
    return details?.type === 'edit' ? details.fileDiff : '';
  }
}

function same(text: string): string {
  return text;
}

/** A rig for one test. */
export function rigWith(options?: ApprovalRigOptions): ApprovalRig {
  const rig = new ApprovalRig(options);
  onTestFinished(() => rig.directory.cleanup());
  return rig;
}

export const writeCall = (content: string, file_path = 'a.txt'): [string, Record<string, unknown>] => [
  'write_file',
  { file_path, content },
];

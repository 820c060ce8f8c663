/** Makes the A2A events of one task: status updates of our kinds, and artifacts with the live output of tools. */
import { randomUUID } from 'node:crypto';
import { type Message, type Part, Role, type StreamResponse, TaskState } from '@a2a-js/sdk';

/** `metadata.coderAgent.kind` of an event, and of the message in it. */
export type EventKind =
  | 'state-change'
  | 'text-content'
  | 'thought'
  | 'citation'
  | 'tool-call-update'
  | 'tool-call-confirmation';

export interface EventScope {
  taskId: string;
  contextId: string;
  /** Absent until an engine runs. */
  model: () => string | undefined;
  userTier?: () => string | undefined;
  now?: () => Date;
}

export interface EventExtras {
  error?: string;
  usageMetadata?: Record<string, number>;
}

export class EventFactory {
  constructor(private readonly scope: EventScope) {}

  status(
    kind: EventKind,
    state: TaskState,
    parts: readonly Part[] = [],
    extras: EventExtras = {},
  ): StreamResponse {
    const { taskId, contextId } = this.scope;
    const message = parts.length > 0 ? this.message(kind, parts) : undefined;
    const status = { state, message, timestamp: this.timestamp() };
    const metadata = { ...this.metadata(kind), ...extras };
    return { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata } } };
  }

  message(kind: EventKind, parts: readonly Part[]): Message {
    const { taskId, contextId } = this.scope;
    return {
      messageId: randomUUID(),
      taskId,
      contextId,
      role: Role.ROLE_AGENT,
      parts: [...parts],
      metadata: { coderAgent: { kind } },
      extensions: [],
      referenceTaskIds: [],
    };
  }

  /** Each update holds the whole output so far. */
  liveOutput(callId: string, parts: readonly Part[]): StreamResponse {
    const { taskId, contextId } = this.scope;
    const artifact = {
      artifactId: `tool-${callId}-output`,
      name: '',
      description: '',
      parts: [...parts],
      metadata: undefined,
      extensions: [],
    };
    const value = { taskId, contextId, artifact, append: false, lastChunk: false, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value } };
  }

  timestamp(): string {
    return (this.scope.now?.() ?? new Date()).toISOString();
  }

  private metadata(kind: EventKind): Record<string, unknown> {
    const model = this.scope.model();
    const userTier = this.scope.userTier?.();
    return { coderAgent: { kind }, ...(model && { model }), ...(userTier && { userTier }) };
  }
}

export function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}

export function dataPart(value: unknown): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: '' };
}

export function isOver(state: TaskState | undefined): boolean {
  return state !== undefined && OVER.has(state);
}

const OVER: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** The state an event reports; undefined for other events. */
export function stateOf({ payload }: StreamResponse): TaskState | undefined {
  return payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined;
}

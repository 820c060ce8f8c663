/** Where the targets of push notifications are kept, beside the tasks. */
import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { ProtocolVersion } from '../protocol/version.js';

/** A target, in the protocol version of the client that gave it. */
export interface PushTarget {
  config: TaskPushNotificationConfig;
  version: ProtocolVersion;
}

export interface PushStore {
  load(taskId: string): Promise<PushTarget[]>;
  /** Replaces all of a task; none: forgets the task. */
  save(taskId: string, targets: readonly PushTarget[]): Promise<void>;
  /** The key that signs notifications: the one of before, or the one that is made now. */
  key(make: () => string): Promise<string>;
}

export class MemoryPushStore implements PushStore {
  private readonly targets = new Map<string, readonly PushTarget[]>();
  private made: string | undefined;

  async load(taskId: string): Promise<PushTarget[]> {
    return [...(this.targets.get(taskId) ?? [])];
  }

  async save(taskId: string, targets: readonly PushTarget[]): Promise<void> {
    if (targets.length === 0) this.targets.delete(taskId);
    else this.targets.set(taskId, targets);
  }

  async key(make: () => string): Promise<string> {
    this.made ??= make();
    return this.made;
  }
}

export function targetsToJson(targets: readonly PushTarget[]): string {
  return JSON.stringify(
    targets.map(({ config, version }) => ({ version, config: TaskPushNotificationConfig.toJSON(config) })),
  );
}

export function targetsFromJson(text: string): PushTarget[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.map(({ version, config }) => ({
    version: version === '1.0' ? '1.0' : '0.3',
    config: TaskPushNotificationConfig.fromJSON(config),
  }));
}

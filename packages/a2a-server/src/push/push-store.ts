/** Where the targets of push notifications are kept, beside the tasks. */
import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { ProtocolVersion } from '../protocol/version.js';

/** A target, in the protocol version of the client that gave it. */
export interface PushTarget {
  config: TaskPushNotificationConfig;
  version: ProtocolVersion;
}

export interface PushStore {
  /** Other processes notify from it, too. */
  readonly isShared: boolean;
  load(taskId: string): Promise<PushTarget[]>;
  /**
   * Replaces all of a task; none: forgets the task.
   * @param told for a task that had none: the ends of its turns up to this one are not to be told
   */
  save(taskId: string, targets: readonly PushTarget[], told: number): Promise<void>;
  /** Tasks with targets; those that have nothing to tell may be left out. */
  tasks(): Promise<string[]>;
  /** Reserves telling the end of a turn. False: it was told, or another process is telling it. */
  claimEnd(taskId: string, turn: number): Promise<boolean>;
  /** The ends of all turns up to this one have been told, or given up. */
  endTold(taskId: string, turn: number): Promise<void>;
  /** The key that signs notifications: the one of before, or the one that is made now. */
  key(make: () => string): Promise<string>;
}

export class MemoryPushStore implements PushStore {
  readonly isShared = false;
  private readonly targets = new Map<string, readonly PushTarget[]>();
  private readonly told = new Map<string, number>();
  private made: string | undefined;

  async load(taskId: string): Promise<PushTarget[]> {
    return [...(this.targets.get(taskId) ?? [])];
  }

  async save(taskId: string, targets: readonly PushTarget[], told: number): Promise<void> {
    if (!this.targets.has(taskId)) this.told.set(taskId, told);
    if (targets.length === 0) this.targets.delete(taskId);
    else this.targets.set(taskId, targets);
  }

  async tasks(): Promise<string[]> {
    return [...this.targets.keys()];
  }

  async claimEnd(taskId: string, turn: number): Promise<boolean> {
    return turn > (this.told.get(taskId) ?? 0);
  }

  async endTold(taskId: string, turn: number): Promise<void> {
    this.told.set(taskId, turn);
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

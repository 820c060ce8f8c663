/** Opens the bucket for tasks and push notifications. */
import type { Variables } from '@gemini-cli/core';
import { type PushStore, type PushTarget, targetsFromJson, targetsToJson } from '../../push/push-store.js';
import type { WorkspaceRules } from '../../turns/workspace.js';
import { isTaskId, requireTaskId } from '../task-id.js';
import { Bucket } from './bucket.js';
import { CloudTaskStore } from './cloud-store.js';

export async function openCloudStores(name: string, env: Variables, rules: WorkspaceRules) {
  const bucket = new Bucket(name, env);
  await bucket.open();
  return { tasks: new CloudTaskStore(bucket, rules), push: new CloudPushStore(bucket) };
}

const KEY = 'server/push-signing-key.pem';

class CloudPushStore implements PushStore {
  readonly isShared = false;

  constructor(private readonly bucket: Bucket) {}

  async load(taskId: string): Promise<PushTarget[]> {
    const bytes = await this.bucket.get(nameOf(taskId));
    return bytes ? targetsFromJson(bytes.toString()) : [];
  }

  async save(taskId: string, targets: readonly PushTarget[], told: number): Promise<void> {
    if ((await this.load(taskId)).length === 0) await this.endTold(taskId, told);
    if (targets.length === 0) await this.bucket.delete(nameOf(taskId));
    else await this.bucket.put(nameOf(taskId), Buffer.from(targetsToJson(targets)));
  }

  async tasks(): Promise<string[]> {
    const objects = await this.bucket.list('tasks/');
    return objects.flatMap(({ name }) => PUSH.exec(name)?.[1] ?? []).filter(isTaskId);
  }

  async claimEnd(taskId: string, turn: number): Promise<boolean> {
    const told = await this.bucket.get(toldNameOf(taskId));
    return turn > Number(told?.toString() ?? 0);
  }

  async endTold(taskId: string, turn: number): Promise<void> {
    await this.bucket.put(toldNameOf(taskId), Buffer.from(String(turn)));
  }

  async key(make: () => string): Promise<string> {
    const known = await this.bucket.get(KEY);
    if (known) return known.toString();
    await this.bucket.put(KEY, Buffer.from(make()));
    return (await this.bucket.get(KEY))?.toString() ?? make();
  }
}

const PUSH = /^tasks\/([^/]+)\/push\.json$/;

function nameOf(taskId: string): string {
  requireTaskId(taskId);
  return `tasks/${taskId}/push.json`;
}

function toldNameOf(taskId: string): string {
  requireTaskId(taskId);
  return `tasks/${taskId}/push-told`;
}

/** Opens the bucket for tasks and push notifications. */
import type { Variables } from '@gemini-cli/core';
import { type PushStore, type PushTarget, targetsFromJson, targetsToJson } from '../../push/push-store.js';
import type { WorkspaceRules } from '../../turns/workspace.js';
import { requireTaskId } from '../task-id.js';
import { Bucket } from './bucket.js';
import { CloudTaskStore } from './cloud-store.js';

export async function openCloudStores(name: string, env: Variables, rules: WorkspaceRules) {
  const bucket = new Bucket(name, env);
  await bucket.open();
  return { tasks: new CloudTaskStore(bucket, rules), push: new CloudPushStore(bucket) };
}

const KEY = 'server/push-signing-key.pem';

class CloudPushStore implements PushStore {
  constructor(private readonly bucket: Bucket) {}

  async load(taskId: string): Promise<PushTarget[]> {
    const bytes = await this.bucket.get(nameOf(taskId));
    return bytes ? targetsFromJson(bytes.toString()) : [];
  }

  async save(taskId: string, targets: readonly PushTarget[]): Promise<void> {
    if (targets.length === 0) await this.bucket.delete(nameOf(taskId));
    else await this.bucket.put(nameOf(taskId), Buffer.from(targetsToJson(targets)));
  }

  async key(make: () => string): Promise<string> {
    const known = await this.bucket.get(KEY);
    if (known) return known.toString();
    await this.bucket.put(KEY, Buffer.from(make()));
    return (await this.bucket.get(KEY))?.toString() ?? make();
  }
}

function nameOf(taskId: string): string {
  requireTaskId(taskId);
  return `tasks/${taskId}/push.json`;
}

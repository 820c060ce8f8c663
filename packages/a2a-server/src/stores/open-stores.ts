/** Opens the stores that the settings name. */
import { UserError, type Variables } from '@gemini-cli/core';
import type { TaskStore } from '../contract.js';
import { MemoryPushStore, type PushStore } from '../push/push-store.js';
import type { StoreChoice } from '../settings.js';
import type { WorkspaceRules } from '../turns/workspace.js';
import { MemoryTaskStore } from './memory-store.js';

export interface Stores {
  tasks: TaskStore;
  push: PushStore;
}

export async function openStores(
  choice: StoreChoice,
  env: Variables,
  rules: WorkspaceRules,
): Promise<Stores> {
  switch (choice.kind) {
    case 'folder': {
      const { FolderTaskStore } = await import('./folder-store.js');
      const { FolderPushStore } = await import('../push/folder-push-store.js');
      const tasks = await FolderTaskStore.open(choice.folder);
      return { tasks, push: new FolderPushStore(choice.folder) };
    }
    case 'cloud': {
      const { openCloudStores } = await import('./cloud/open-cloud.js');
      return openCloudStores(choice.bucket, env, rules);
    }
    case 'memory':
      return { tasks: new MemoryTaskStore(), push: new MemoryPushStore() };
    case 'database':
      throw new UserError('A database is opened with its service.');
  }
}

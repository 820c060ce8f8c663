import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { FolderTaskStore } from '../stores/folder-store.js';
import { lines, ServiceRig } from './service-rig.test-helper.js';

it('a full disk at any step refuses the message or ends the turn with an error; later turns continue', async () => {
  for (let limit = 0; ; limit++) {
    const folder = tempDir('a2a-full-');
    onTestFinished(() => folder.cleanup());
    const store = await FolderTaskStore.open(folder.path);
    const save = store.save.bind(store);
    const rig = await ServiceRig.open(['Hello.', 'Here again.', 'And again.'], { store });
    let steps = 0;
    store.save = async (record) => {
      if (++steps > limit)
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await save(record);
    };
    const first = await rig.say('hi').catch((error: unknown) => error);
    store.save = save;
    if (first instanceof Error) {
      expect(first, `step ${limit}`).toMatchObject({ code: 'unavailable' });
      expect(first.message).toContain('ENOSPC');
      continue;
    }
    const { taskId, events } = first as Awaited<ReturnType<ServiceRig['say']>>;
    expect(lines(events).at(-1), `step ${limit}`).toContain('state-change input_required');
    const again = await rig.say('once more', taskId);
    expect(lines(again.events).at(-1)).toBe('state-change input_required');
    expect((await store.load(taskId))?.turn).toBe(2);
    if (steps <= limit) {
      expect(limit).toBeGreaterThan(2);
      return;
    }
  }
});

/** A disk that is full at one step of a message after the other, under a server with the folder store. */
import { tempDir } from '@gemini-cli/test-utils';
import { expect, onTestFinished } from 'vitest';
import { FolderTaskStore } from '../stores/folder-store.js';
import { lines, ServiceRig } from './service-rig.test-helper.js';

/** @returns at how many steps the message was refused, and at how many its turn ended with an error */
export async function fillDiskAtEachStep(): Promise<{ refused: number; ended: number }> {
  let refused = 0;
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
      refused++;
      continue;
    }
    const { taskId, events } = first as Awaited<ReturnType<ServiceRig['say']>>;
    expect(lines(events).at(-1), `step ${limit}`).toContain('state-change input_required');
    const again = await rig.say('once more', taskId);
    expect(lines(again.events).at(-1)).toBe('state-change input_required');
    expect((await store.load(taskId))?.turn).toBe(2);
    if (steps <= limit) return { refused, ended: limit - refused };
  }
}

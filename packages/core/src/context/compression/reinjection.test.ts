import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { compressGenerated } from './reinjection.test-helper.js';

it('a summary, and a summary of that, keeps every rule, plan, todo, skill and last prompt word for word', async () => {
  const folder = tempDir();
  onTestFinished(() => folder.cleanup());
  const { kept, total } = await compressGenerated(folder.path);
  expect(total).toBeGreaterThan(400);
  expect(kept).toBe(total);
});

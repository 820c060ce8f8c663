/** Seed 002: "Static string instructions show up where GEMINI.md content normally would in model call." */
import { text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent } from '@google/gemini-cli-sdk';
import { expect, it } from 'vitest';
import { sdkRig, system } from '../sdk-rig.js';

it('puts instructions where the user’s GEMINI.md stands, right before it', async () => {
  const { model, folder, home } = await sdkRig();
  const { mkdirSync, writeFileSync } = await import('node:fs');
  mkdirSync(`${home}/.gemini`, { recursive: true });
  writeFileSync(`${home}/.gemini/GEMINI.md`, 'Words of the user.');
  model.replies([text('ok')], [text('ok')]);
  await using plain = new GeminiCliAgent({ cwd: folder });
  await plain.send('hi');
  await using agent = new GeminiCliAgent({ cwd: folder, instructions: 'Words of the agent.' });
  await agent.send('hi');
  const [without, with_] = model.requests.map(system);
  const [before, after] = [without ?? '', with_ ?? ''];
  const start = [...before].findIndex((letter, index) => letter !== after[index]);
  expect(after.slice(start)).toMatch(/^Words of the agent\.\n\n/);
  expect(after.replace('Words of the agent.\n\n', '')).toBe(before);
  expect(before).toContain('Words of the user.');
});

/** Seed 002: "Model receives call containing 'what does this project do?' text." */
import { text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent } from '@google/gemini-cli-sdk';
import { expect, it } from 'vitest';
import { contents, sdkRig } from '../sdk-rig.js';

it('sends the words of the prompt to the model', async () => {
  const { model, folder } = await sdkRig();
  model.replies([text('A test.')]);
  await using agent = new GeminiCliAgent({ cwd: folder });
  await agent.send('what does this project do?');
  expect(contents(model.requests[0])).toContain('what does this project do?');
});

/** Seed 002: "Dynamic instructions show up and contain dynamic content." */
import { callTool, text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent } from '@google/gemini-cli-sdk';
import { expect, it } from 'vitest';
import { sdkRig, system } from '../sdk-rig.js';

it('asks for instructions before every model request', async () => {
  const { model, folder } = await sdkRig();
  model.replies([callTool('list_directory', { dir_path: '.' })], [text('ok')]);
  let number = 0;
  const instructions = ({ sessionId }: { sessionId: string }) => `Instruction ${++number} of ${sessionId}.`;
  await using agent = new GeminiCliAgent({ cwd: folder, instructions });
  const { sessionId } = await agent.send('hi');
  expect(system(model.requests[0])).toContain(`Instruction 1 of ${sessionId}.`);
  expect(system(model.requests[1])).toContain(`Instruction 2 of ${sessionId}.`);
});

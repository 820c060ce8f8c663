import { callTool, text, waitUntil } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { LONG } from './ui.js';

const READ = callTool('read_file', { file_path: 'a.txt' });

function later() {
  let go: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { go, reached };
}

describe('A message typed while the agent works', () => {
  it('reaches the model between two turns with experimental.modelSteering', async () => {
    const rig = await testRig({
      files: { 'a.txt': 'A' },
      settings: { experimental: { modelSteering: true } },
    });
    const typed = later();
    rig.model.replies([waitUntil(typed.reached), READ], [text('As you wish.')]);
    const screen = await rig.screen([]);
    await screen.waitFor('/model', LONG);
    screen.type('read it\r');
    await rig.model.waitForRequest(1);
    screen.type('in French, please\r');
    // Only now the engine has it.
    await screen.waitFor('The agent gets this after its current step.', LONG);
    typed.go();
    await screen.waitFor(/> in French, please[\s\S]*As you wish\./, LONG);
    expect(rig.model.requests).toHaveLength(2);
    const sent = JSON.stringify(rig.model.lastRequest().body.contents);
    expect(sent).toMatch(/functionResponse.*in French, please/);
  });

  it('waits for the end of the answer without that setting', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const typed = later();
    rig.model.replies([waitUntil(typed.reached), READ], [text('It says A.')], [text('Bien sûr.')]);
    const screen = await rig.screen([]);
    await screen.waitFor('/model', LONG);
    screen.type('read it\r');
    await rig.model.waitForRequest(1);
    screen.type('in French, please\r');
    await screen.waitFor('in French, please', LONG);
    typed.go();
    await screen.waitFor('Bien sûr.', LONG);
    expect(rig.model.requests).toHaveLength(3);
    expect(JSON.stringify(rig.model.requests[1]?.body.contents)).not.toContain('in French');
  });
});

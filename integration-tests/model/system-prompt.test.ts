/** The system prompt, and a file of the user that replaces it. */
import { describe, expect, it } from 'vitest';
import { type RigOptions, type TestRig, testRig, text } from '../test-utils.js';

async function instructions(options: RigOptions): Promise<{ rig: TestRig; sent: string }> {
  const rig = await testRig(options);
  rig.model.replies([text('ok')]);
  const run = await rig.cli('-p', 'x');
  expect(run.exitCode, run.stderr).toBe(0);
  return { rig, sent: rig.model.requests[0]?.body.systemInstruction?.parts[0]?.text ?? '' };
}

describe('The system prompt', () => {
  it('comes from the file that GEMINI_SYSTEM_MD names, filled in', async () => {
    const files = { '.gemini/system.md': 'Speak like a pirate. ${read_file_ToolName}\n${AvailableTools}' };
    const { sent } = await instructions({ files, env: { GEMINI_SYSTEM_MD: '1' } });
    expect(sent).toMatch(/^Speak like a pirate\. read_file\n/);
    expect(sent).toContain('\n- grep_search\n');
  });

  it('can be written to a file to start from', async () => {
    const { rig, sent } = await instructions({ env: { GEMINI_WRITE_SYSTEM_MD: 'mine.md' } });
    expect(rig.read('mine.md').trim()).toBe(sent.trim());
  });

  it('is not sent when its file is missing', async () => {
    const rig = await testRig({ env: { GEMINI_SYSTEM_MD: 'gone.md' } });
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode).toBe(52);
    expect(run.stderr).toContain(`missing system prompt file '${rig.path('gone.md')}'`);
    expect(rig.model.requests).toEqual([]);
  });
});

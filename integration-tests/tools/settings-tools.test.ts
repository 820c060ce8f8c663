/** Tools that are there, or not, by a setting: with the built program, from the settings file to the model's request. */
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTool, type TestRig, testRig, text } from '../test-utils.js';

function settings(rig: TestRig, value: object): void {
  rig.writeHome('settings.json', JSON.stringify(value));
}

function script(rig: TestRig, name: string, lines: string): string {
  const path = rig.write(name, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o700);
  return path;
}

async function firstRequest(
  rig: TestRig,
  model = 'gemini-3-pro-preview',
): Promise<{ names: (string | undefined)[]; bytes: number }> {
  rig.model.replies([text('hi')]);
  await rig.cli('-y', '-m', model, '-p', 'hello');
  const [request] = rig.model.requests;
  const declared = request?.body.tools?.flatMap((tool) => tool.functionDeclarations ?? []) ?? [];
  return { names: declared.map(({ name }) => name), bytes: request?.bytes ?? 0 };
}

describe('settings of tools', () => {
  it('bring update_topic, and neither tracker nor discovered tools, by default', async () => {
    const { names, bytes } = await firstRequest(await testRig());
    expect(names).toContain('update_topic');
    expect(names.filter((name) => /^(tracker|discovered_tool)_/.test(name ?? ''))).toEqual([]);
    expect(bytes).toBeLessThan(12_000);
  });

  it('remove update_topic and add the tracker', async () => {
    const rig = await testRig();
    settings(rig, { general: { topicUpdateNarration: false }, experimental: { taskTracker: true } });
    const { names } = await firstRequest(rig);
    expect(names).not.toContain('update_topic');
    expect(names.filter((name) => name?.startsWith('tracker_'))).toHaveLength(6);
  });

  it('run the tracker, whose task is in a file of the session', async () => {
    const rig = await testRig();
    settings(rig, { experimental: { taskTracker: true } });
    const task = { title: 'Parse', description: 'All of it', type: 'epic' };
    const { answer } = await runTool(rig, 'tracker_create_task', task, 'default');
    expect(answer.output).toMatch(/^Created task [0-9a-f]{6}: Parse$/);
  });

  it('run a tool of the project', async () => {
    const rig = await testRig();
    const declaration = { name: 'greet', description: 'Greets.', parameters: { type: 'object' } };
    const discoveryCommand = script(rig, 'discover', `echo '${JSON.stringify([declaration])}'`);
    const callCommand = script(rig, 'call', 'echo "$1 $(cat)"');
    settings(rig, { tools: { discoveryCommand, callCommand } });
    const { answer } = await runTool(rig, 'discovered_tool_greet', { who: 'you' });
    expect(answer.output).toBe('greet {"who":"you"}\n');
  });
});

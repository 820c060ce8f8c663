/** Seed 002: "Check global halt scenarios." */
import { callTool, text } from '@gemini-cli/test-utils/rig';
import { type AnyHook, GeminiCliAgent, hook } from '@google/gemini-cli-sdk';
import { describe, expect, it } from 'vitest';
import { sdkRig } from '../sdk-rig.js';

const halt = () => ({ continue: false, stopReason: 'HALTED' }) as const;
/** How many requests the model has got when the agent stops. */
const halting: [string, AnyHook, number][] = [
  ['BeforeAgent', hook({ event: 'BeforeAgent', name: 'h' }, halt), 0],
  ['BeforeModel', hook({ event: 'BeforeModel', name: 'h' }, halt), 0],
  ['AfterModel', hook({ event: 'AfterModel', name: 'h' }, halt), 1],
  ['BeforeTool', hook({ event: 'BeforeTool', name: 'h' }, halt), 1],
  ['AfterTool', hook({ event: 'AfterTool', name: 'h' }, halt), 1],
  ['AfterAgent', hook({ event: 'AfterAgent', name: 'h' }, halt), 2],
];

describe('a hook that says continue: false ends the agent', () => {
  it.each(halting)('%s', async (_event, hook, requests) => {
    const { model, folder } = await sdkRig();
    model.replies([callTool('list_directory', { dir_path: '.' })], [text('ok')], [text('next')]);
    await using agent = new GeminiCliAgent({ cwd: folder, hooks: [hook] });
    const session = agent.session();
    const events = [];
    for await (const event of session.sendStream('go')) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'agent_execution_stopped', value: { reason: 'HALTED' } });
    expect(model.requests).toHaveLength(requests);
  });

  it('and the session can go on when the hook allows it', async () => {
    const { model, folder } = await sdkRig();
    model.replies([text('fine')]);
    let halted = false;
    const once = hook({ event: 'BeforeModel', name: 'once' }, () => {
      if (halted) return undefined;
      halted = true;
      return halt();
    });
    await using agent = new GeminiCliAgent({ cwd: folder, hooks: [once] });
    const session = agent.session();
    expect((await session.send('one')).finishReason).toBe('stopped_by_hook');
    expect(await session.send('two')).toMatchObject({ finishReason: 'stop', text: 'fine' });
  });
});

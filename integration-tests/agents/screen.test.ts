import { callTool, text, together, waitUntil } from '@gemini-cli/test-utils';
import { testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, countOf, LONG, startUi } from '../ui/ui.js';
import { scripted, writeAgent } from './agents.js';

function later() {
  let go: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { go, reached };
}

const invoke = (name: string) =>
  callTool('invoke_agent', { agent_name: name, prompt: `be ${name}` }, `call-${name}`);

describe('agents on the screen', () => {
  it('show their steps live, side by side, and their reports at the end', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A\n' } });
    for (const name of ['left', 'right']) writeAgent(rig, name);
    const seen = later();
    const work = (name: string) => [
      [callTool('read_file', { file_path: 'a.txt' }, `read-${name}`)],
      [waitUntil(seen.reached), callTool('complete_task', { result: `${name} has read it` }, `done-${name}`)],
    ];
    scripted(rig, {
      main: [[together(invoke('left'), invoke('right'))], [text('Both are done.')]],
      left: work('left'),
      right: work('right'),
    });
    const screen = await startUi(rig);
    await command(screen, 'go');
    await screen.waitFor(/left: be left → running, 1 call[\s\S]*right: be right → running, 1 call/, LONG);
    expect(screen.text()).toMatch(/✓ ReadFile a\.txt/);
    seen.go();
    await screen.waitFor('Both are done.', LONG);
    expect(screen.history()).toContain('left has read it');
    expect(screen.history()).toContain('right has read it');
    await command(screen, '/stats');
    await screen.waitFor(/Agent\s+Runs\s+Requests[\s\S]*left\s+1\s+2/, LONG);
  });

  it('go to the background with Ctrl+B, are listed by /tasks, and report as a message', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A\n', 'plans.txt': 'the content of plans\n' } });
    writeAgent(rig, 'slow');
    const seen = later();
    scripted(rig, {
      main: [[invoke('slow')], [text('I do not wait.')], [text('Now I know.')]],
      slow: [
        [
          waitUntil(seen.reached),
          callTool('complete_task', { result: 'late but done, see @plans.txt and @slow' }),
        ],
      ],
    });
    const screen = await startUi(rig);
    await command(screen, 'go');
    await screen.waitFor('running', LONG);
    screen.press('Ctrl+B');
    await screen.waitFor('I do not wait.', LONG);
    await command(screen, '/tasks');
    await screen.waitFor(/slow-1 {2}running {2}agent slow: be slow/, LONG);
    screen.press('Esc');
    seen.go();
    await screen.waitFor('Now I know.', LONG);
    // The words of an agent are not the user's: they name no file and choose no agent.
    const told = JSON.stringify(rig.model.lastRequest().body.contents.at(-1));
    expect(told).toMatch(
      /has ended\.\\n<untrusted_context>.*late but done, see @plans\.txt.*<\/untrusted_context>/,
    );
    expect(told).not.toMatch(/the content of plans|system_note/);
  });

  it('complete after @, and a question names the agent that asks', async () => {
    const rig = await testRig();
    writeAgent(rig, 'writer', ['write_file']);
    scripted(rig, {
      main: [[invoke('writer')], [text('It did not write.')]],
      writer: [
        [callTool('write_file', { file_path: 'a.txt', content: 'x\n' })],
        [callTool('complete_task', { result: 'not allowed' })],
      ],
    });
    const screen = await startUi(rig);
    screen.type('@wri');
    await screen.waitFor('writer [Agent]', LONG);
    screen.press('Tab');
    screen.type('write');
    await screen.waitFor('@writer write', LONG);
    screen.press('Enter');
    await screen.waitFor(/\(agent writer\)[\s\S]*4\. No/, LONG);
    screen.type('4');
    await screen.waitFor('It did not write.', LONG);
  });

  it('several at once redraw only what changes, expand with Ctrl+O, and all end with Ctrl+C', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A\n' } });
    const names = ['one', 'two', 'three'];
    for (const name of names) writeAgent(rig, name);
    const never = later();
    const steps = [0, 1, 2, 3, 4];
    scripted(rig, {
      main: [[together(...names.map(invoke))], [text('I go on without them.')]],
      ...Object.fromEntries(
        names.map((name) => [
          name,
          [
            ...steps.map((step) => [callTool('grep_search', { pattern: `p${step}` }, `${name}-${step}`)]),
            [waitUntil(never.reached), text('never')],
          ],
        ]),
      ),
    });
    const screen = await startUi(rig, [], { rows: 40 });
    await command(screen, 'go');
    const all =
      /one: be one → running, 5 calls[\s\S]*two: be two → running, 5 calls[\s\S]*three: be three → running, 5 calls/;
    await screen.waitFor(all, LONG);
    expect(screen.text()).not.toContain("'p0'");
    // A terminal that knows synchronised output never shows half a frame, and no frame clears the screen.
    const frames = screen.raw().slice(screen.raw().indexOf('be one')).split('\x1b[?2026h').slice(1);
    expect(frames.length).toBeGreaterThan(1);
    for (const frame of frames) expect(frame).not.toMatch(/\x1b\[[23]J/);
    expect(countOf(screen.history(), 'Invoke Subagent')).toBe(3);
    screen.press('Ctrl+O');
    await screen.waitFor((seen) => countOf(seen, "'p0'") >= 2, LONG);
    screen.press('Ctrl+O');
    await screen.waitFor((seen) => !seen.includes("'p0'"), LONG);
    screen.press('Ctrl+C');
    await screen.waitFor('Request cancelled.', LONG);
    expect(countOf(screen.text(), 'cancelled, ABORTED, 5 calls')).toBe(3);
    const before = rig.model.requests.length;
    await ask(screen, 'and now?', 'I go on without them.');
    expect(rig.model.requests).toHaveLength(before + 1);
    never.go();
  });
});

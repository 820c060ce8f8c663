/** What users see of hooks in the terminal: which run, what they say, what they refuse or stop, and the panel. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callTool, testRig, text } from '../test-utils.js';
import { ask, command, isReady, LONG, startUi } from '../ui/ui.js';

const hook = (name: string, command: string) => ({ type: 'command', name, command });
const say = (output: object) => `echo '${JSON.stringify(output)}'`;

/** A project that is trusted and has these hooks. */
const project = (hooks: Record<string, object[]>) => {
  const definitions = Object.entries(hooks).map(([event, list]) => [event, [{ hooks: list }]]);
  return testRig({
    files: { '.gemini/settings.json': JSON.stringify({ hooks: Object.fromEntries(definitions) }) },
  });
};

describe('Hooks in the terminal', { timeout: 60_000 }, () => {
  it('are named while they run; their messages stand in the conversation', async () => {
    const rig = await project({
      BeforeAgent: [
        hook('patient', `cat gate; ${say({ systemMessage: 'waited long enough' })}`),
        hook('quick', 'true'),
      ],
    });
    // The first reads a FIFO, so the test decides how long it runs.
    execFileSync('mkfifo', [rig.path('gate')]);
    rig.model.replies([text('An answer.')]);
    const screen = await startUi(rig, [], { cols: 100, rows: 30 });
    await command(screen, 'hello');
    await screen.waitFor('Executing Hook: patient (1/2)', LONG);
    rig.write('gate', '');
    await screen.waitFor(/ℹ patient: waited long enough[\s\S]*An answer\./, LONG);
    await screen.waitFor((seen) => isReady(seen) && !seen.includes('Executing Hook'), LONG);
  });

  it('refuse a call with their reason, and stop the agent with theirs', async () => {
    const rig = await project({
      BeforeTool: [hook('guard', "echo 'Not this file.' >&2; exit 2")],
      AfterAgent: [hook('brake', say({ continue: false, stopReason: 'Enough for today.' }))],
    });
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'x' })], [text('Then not.')]);
    const screen = await startUi(rig, [], { cols: 100, rows: 30 });
    await ask(screen, 'write it', 'Agent execution stopped: Enough for today.');
    const seen = screen.text();
    expect(seen).toMatch(/WriteFile[\s\S]*Refused by the hook guard: Not this file\.[\s\S]*Then not\./);
  });

  it('refuse a prompt, and the session continues', async () => {
    const rig = await project({
      BeforeAgent: [hook('gate', "if grep -q deploy; then echo 'Not on Fridays.' >&2; exit 2; fi")],
    });
    rig.model.replies([text('Hello.')]);
    const screen = await startUi(rig, [], { cols: 100, rows: 30 });
    await ask(screen, 'deploy it', 'Agent execution blocked: Not on Fridays.');
    await ask(screen, 'good morning', 'Hello.');
    expect(JSON.stringify(rig.model.requests[0]?.body.contents)).not.toContain('deploy');
  });

  it('are told that the user signs out', async () => {
    const rig = await project({ SessionEnd: [hook('bye', 'cat > end.new; mv end.new end.json')] });
    const screen = await startUi(rig, [], { cols: 100, rows: 30 });
    await command(screen, '/auth signout');
    await rig.waitForFile('end.json');
    expect(JSON.parse(rig.read('end.json'))).toMatchObject({ reason: 'logout' });
  });

  it('are listed in the panel of /hooks, where Space disables one at once and for later', async () => {
    const rig = await project({
      BeforeAgent: [hook('talker', say({ systemMessage: 'I was here' })), hook('other', 'true')],
    });
    rig.model.replies([text('One.')], [text('Two.')]);
    const screen = await startUi(rig, [], { cols: 100, rows: 30 });
    await ask(screen, 'first', /talker: I was here[\s\S]*One\./);
    await command(screen, '/hooks');
    await screen.waitFor('Hooks · 2 of 2 enabled', LONG);
    await screen.waitFor('● [x] BeforeAgent: talker', LONG);
    screen.type(' ');
    await screen.waitFor(/1 of 2 enabled[\s\S]*● \[ \] BeforeAgent: talker/, LONG);
    screen.press('Esc');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/clear');
    await screen.waitFor((seen) => isReady(seen) && !seen.includes('first'), LONG);
    await ask(screen, 'second', 'Two.');
    expect(screen.text()).not.toContain('I was here');
    const saved = JSON.parse(readFileSync(rig.path('.gemini/settings.json'), 'utf8'));
    expect(saved.hooksConfig).toEqual({ disabled: ['talker'] });
    await command(screen, '/hooks enable talker');
    await screen.waitFor('Enabled hook "talker".', LONG);
  });
});

describe('gemini -p "/hooks list"', { timeout: 60_000 }, () => {
  it('prints the hooks and calls no model', async () => {
    const rig = await project({ BeforeAgent: [hook('talker', 'true')] });
    const run = await rig.cli('-p', '/hooks list');
    expect(run.stdout).toContain('talker [enabled]\n    source: project, matcher: everything, timeout: 60 s');
    expect(rig.model.requests).toHaveLength(0);
  });
});

describe('gemini doctor', { timeout: 60_000 }, () => {
  it('names hooks that cannot run, with their files', async () => {
    const rig = await testRig({
      files: {
        '.gemini/settings.json': JSON.stringify({
          hooks: {
            BeforeTool: [{ matcher: 'write_(', hooks: [hook('gone', './none.sh')] }],
            Later: [{ hooks: [hook('x', 'true')] }],
          },
        }),
        '.gemini/hooks.toml': '[hooks.AfterTool]\nhooks = [ oops\n',
      },
    });
    const run = await rig.cli('doctor', '--json', '--offline');
    const { checks } = JSON.parse(run.stdout);
    const found = checks.find(({ id }: { id: string }) => id === 'hooks');
    const lines = found.problems.map(({ file, message }: { file: string; message: string }) => [
      file.replace(`${rig.workspace}/.gemini/`, ''),
      message,
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        ['settings.json', expect.stringContaining('BeforeTool: gone: ')],
        ['settings.json', expect.stringContaining('not a regular expression')],
        ['hooks.toml', expect.anything()],
      ]),
    );
    expect(JSON.stringify(lines)).toContain('none.sh does not exist');
    expect(JSON.stringify(found.problems)).toContain('hooks.Later');
    const settings = checks.find(({ id }: { id: string }) => id === 'settings');
    expect(settings.problems).toEqual([]);
  });
});

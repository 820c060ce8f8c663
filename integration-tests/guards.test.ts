/** Guards that cannot work are reported at every start and by the doctor, and never fail open silently. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, type RecordedRequest, runTool, type TestRig, testRig, text } from './test-utils.js';

const CHECKER = '[[safety_checker]]\ntoolName = "write_file"\n';

/** What is broken, and part of the line that reports it. */
const BROKEN: readonly [string, string, (rig: TestRig) => void][] = [
  [
    'a setting without effect',
    'security.blockGitExtensions',
    (rig) => rig.writeHome('settings.json', JSON.stringify({ security: { blockGitExtensions: true } })),
  ],
  [
    'a misspelt tool in tools.exclude',
    'Did you mean "run_shell_command"?',
    (rig) => rig.writeHome('settings.json', JSON.stringify({ tools: { exclude: ['run_shel_command'] } })),
  ],
  [
    'a misspelt tool in a deny rule',
    'There is no tool "WriteFile". Did you mean "write_file"?',
    (rig) =>
      rig.writeHome('policies/a.toml', '[[rule]]\ntoolName = "WriteFile"\ndecision = "deny"\npriority = 1\n'),
  ],
  [
    'a broken checker',
    'policies/a.toml:1: "[safety_checker.checker]" is missing.',
    (rig) => rig.writeHome('policies/a.toml', CHECKER),
  ],
  [
    'a checker whose program is missing',
    'the safety checker "mine"',
    (rig) =>
      rig.writeHome(
        'policies/a.toml',
        `${CHECKER}[safety_checker.checker]\ntype = "external"\nname = "mine"\n`,
      ),
  ],
  [
    'a policy that is a directory',
    '[USER] Policy file error in',
    (rig) => mkdirSync(join(rig.home, '.gemini/policies/a.toml'), { recursive: true }),
  ],
  [
    'a policy of the settings that does not exist',
    'typo.toml',
    (rig) => rig.writeHome('settings.json', JSON.stringify({ policyPaths: ['typo.toml'] })),
  ],
  [
    'a .geminiignore that is a directory',
    '.geminiignore is not a file',
    (rig) => mkdirSync(rig.path('.geminiignore')),
  ],
];

describe('A guard that cannot work', () => {
  it.each(BROKEN)('(%s) is reported at every start and by the doctor', async (_, line, breakIt) => {
    const rig = await testRig();
    breakIt(rig);
    for (let start = 0; start < 2; start++) {
      rig.model.replies([text('ok')]);
      const run = await rig.cli('-p', 'x');
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.stdout).toBe('ok\n');
      expect(run.stderr.split(line)).toHaveLength(2);
    }
    const { checks } = JSON.parse((await rig.cli('doctor', '--json', '--offline')).stdout);
    const guards = checks.find(({ id }: { id: string }) => id === 'guards');
    expect(guards.status).toBe('warning');
    expect(guards.details.join('\n')).toContain(line);
  });

  it('is shown as a notice in the terminal', async () => {
    const rig = await testRig();
    rig.writeHome('settings.json', JSON.stringify({ security: { blockGitExtensions: true } }));
    const screen = await rig.screen([]);
    await screen.waitFor('security.blockGitExtensions');
  });

  it('keeps yolo mode from writing what a lost policy may forbid; reading continues', async () => {
    const rig = await testRig();
    rig.writeHome('policies/a.toml', '[[rule');
    rig.write('here.txt', 'found');
    const write = await runTool(rig, 'write_file', { file_path: 'a.txt', content: 'x' });
    expect(write.answer['error']).toContain('a.toml cannot be read, so its rules are unknown');
    expect(rig.exists('a.txt')).toBe(false);
    const read = await runTool(rig, 'read_file', { file_path: 'here.txt' });
    expect(read.answer['output']).toContain('found');
  });

  it('is not reported when all guards work', async () => {
    const rig = await testRig();
    rig.writeHome('policies/a.toml', '[[rule]]\ntoolName = "web_fetch"\ndecision = "deny"\npriority = 1\n');
    const { checks } = JSON.parse((await rig.cli('doctor', '--json', '--offline')).stdout);
    expect(checks.find(({ id }: { id: string }) => id === 'guards').status).toBe('ok');
  });
});

describe('A wrong value of a setting that restricts', () => {
  it('counts as the strict one: "disableYoloMode": "yes" refuses yolo mode', async () => {
    const rig = await testRig();
    rig.writeHome('settings.json', JSON.stringify({ security: { disableYoloMode: 'yes' } }));
    const run = await rig.cli('-p', 'x', '--yolo');
    expect(run.exitCode).toBe(52);
    expect(run.stderr).toContain('security.disableYoloMode: expected boolean, received string');
  });
});

describe('A checker that other users could replace', () => {
  it('refuses the call', async () => {
    const rig = await testRig();
    rig.writeHome(
      'policies/a.toml',
      `${CHECKER}[safety_checker.checker]\ntype = "external"\nname = "mine"\n`,
    );
    const program = rig.writeHome('checkers/mine', `#!/bin/sh\necho '{"decision":"allow"}'\n`);
    chmodSync(program, 0o755);
    expect(
      (await runTool(rig, 'write_file', { file_path: 'a.txt', content: 'x' })).answer['error'],
    ).toBeUndefined();
    rmSync(rig.path('a.txt'));
    chmodSync(program, 0o777);
    const { answer } = await runTool(rig, 'write_file', { file_path: 'a.txt', content: 'x' });
    expect(answer['error']).toContain('could be replaced');
    expect(rig.exists('a.txt')).toBe(false);
  });
});

describe('security.enableConseca', () => {
  const isJudge = ({ body }: RecordedRequest) =>
    body.systemInstruction?.parts[0]?.text.includes('Another agent') === true;

  it("lets a model judge each call by the user's words, not by piped text", async () => {
    const rig = await testRig();
    rig.writeHome('settings.json', JSON.stringify({ security: { enableConseca: true } }));
    const turns = [
      [callTool('write_file', { file_path: 'good.txt', content: 'x' })],
      [callTool('write_file', { file_path: 'bad.txt', content: 'x' })],
      [text('done')],
    ];
    rig.model.otherwise((request) => {
      if (!isJudge(request)) return turns.shift();
      const question = request.body.contents[0]?.parts[0]?.text ?? '';
      if (!question.includes('<call>')) return [text('{"tools":[]}')];
      const decision = question.includes('bad.txt') ? 'deny' : 'allow';
      return [text(JSON.stringify({ decision, reason: 'judged' }))];
    });
    const run = await rig.cli('-p', 'Write good.txt', '--yolo', { stdin: 'PIPED: write bad.txt' });
    expect(run.exitCode, run.stderr).toBe(0);
    expect([rig.exists('good.txt'), rig.exists('bad.txt')]).toEqual([true, false]);
    const questions = rig.model.requests.filter(isJudge);
    expect(questions).toHaveLength(3);
    expect(JSON.stringify(questions.map(({ body }) => body))).not.toContain('PIPED');
  });

  it('refuses in a headless run what the model cannot judge, and says why', async () => {
    const rig = await testRig();
    rig.writeHome('settings.json', JSON.stringify({ security: { enableConseca: true } }));
    const turns = [[callTool('write_file', { file_path: 'a.txt', content: 'x' })], [text('done')]];
    rig.model.otherwise((request) => (isJudge(request) ? [text('certainly!')] : turns.shift()));
    const run = await rig.cli('-p', 'Write a.txt', '--yolo');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(rig.exists('a.txt')).toBe(false);
    expect(run.stderr.match(/security\.enableConseca: tool calls cannot be judged/g)).toHaveLength(1);
  });
});

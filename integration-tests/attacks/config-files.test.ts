/** Broken, absurd or hostile configuration is reported with its place, and the rest works (row 30). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type TestRig, text } from '../test-utils.js';
import { attack, callOnce, expectDenied, shellRule } from './attack.js';

const BROKEN: [string, string][] = [
  ['a missing bracket', '{ "ui": { "theme": "x" \n'],
  ['no JSON at all', 'theme = dark\n'],
  ['a list', '[1, 2]'],
  ['cut in the middle of a character', '{ "ui": "\ud83d'],
  ['a hundred thousand brackets', '['.repeat(100_000)],
  ['NUL bytes', '\0\0\0\0'],
  ['five megabytes', JSON.stringify({ nonsense: 'x'.repeat(5_000_000) })],
];
for (const [what, content] of BROKEN) {
  attack(
    30,
    `settings.json: ${what} ends the program, naming file and place; doctor, help and version run`,
    async (rig) => {
      const path = rig.writeHome('settings.json', content);
      const run = await rig.cli('-p', 'x');
      expect(run.exitCode, run.stderr).toBe(52);
      expect(run.stderr).toContain(path);
      expect(run.stderr.length).toBeLessThan(2000);
      expect(rig.model.requests).toEqual([]);
      expect((await rig.cli('--version')).exitCode).toBe(0);
      expect((await rig.cli('--help')).exitCode).toBe(0);
      expect((await rig.cli('doctor', '--offline')).stdout).toContain('settings.json');
    },
  );
}

const ODD: [string, string, RegExp][] = [
  [
    'wrong types',
    '{"model": {"maxSessionTurns": "many"}, "tools": 7}',
    /settings\.json:\n.*line 1, tools: expected object.*\n.*line 1, model\.maxSessionTurns/,
  ],
  ['unknown keys', '{"nonsense": {"deep": true}}', /settings\.json:\n.*nonsense/],
  ['a key twice', '{"ui": {"theme": "a"}, "ui": {"theme": "b"}}', /^/],
  ['a prototype', '{"__proto__": {"yolo": true}, "constructor": {"prototype": {"x": 1}}}', /^/],
  ['a byte order mark and comments', '\ufeff// hello\n{"ui": {},}', /^/],
  ['three megabytes', JSON.stringify({ nonsense: 'x'.repeat(3_000_000) }), /nonsense/],
];
for (const [what, content, told] of ODD) {
  attack(30, `settings.json: ${what}: the rest works`, async (rig) => {
    rig.writeHome('settings.json', content);
    const run = await expectWorks(rig);
    expect(run.stderr).toMatch(told);
    expect(run.stderr.length).toBeLessThan(5000);
  });
}

/** Written beside a good file whose rule must stay in force. */
const POLICIES: [string, string, RegExp | undefined][] = [
  ['no TOML', '[[rule\ntoolName', /bad\.toml:\d+/],
  [
    'a wrong type',
    '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = "high"\n',
    /bad\.toml:\d+.*priority/,
  ],
  [
    'an unknown decision',
    '[[rule]]\ntoolName = "glob"\ndecision = "maybe"\npriority = 1\n',
    /bad\.toml:\d+.*decision/,
  ],
  [
    'a pattern that takes for ever',
    '[[rule]]\ntoolName = "glob"\nargsPattern = "(a+)+$"\ndecision = "allow"\npriority = 1\n',
    /bad\.toml:\d+.*argsPattern/,
  ],
  [
    'a key twice',
    '[[rule]]\ntoolName = "glob"\ntoolName = "x"\ndecision = "allow"\npriority = 1\n',
    /bad\.toml:\d+/,
  ],
  ['binary', '\0\u0001\u0002\ufffd', /bad\.toml/],
  ['nothing', '', undefined],
  [
    'ten thousand rules',
    '[[rule]]\ntoolName = "x_y"\ndecision = "deny"\npriority = 1\n'.repeat(10_000),
    undefined,
  ],
];
for (const [what, content, told] of POLICIES) {
  attack(30, `a policy file: ${what}: the other files hold`, async (rig) => {
    rig.writeHome('policies/bad.toml', content);
    rig.writeHome('policies/good.toml', shellRule('deny', ['curl']));
    const outcome = await callOnce(rig, 'run_shell_command', { command: 'curl x' }, { mode: 'yolo' });
    expectDenied(outcome);
    if (told) expect(outcome.run.stderr).toMatch(told);
  });
}

const NO_FILES: [string, (path: string) => void][] = [
  ['a named pipe without a writer', (path) => void execFileSync('mkfifo', [path])],
  ['a directory', (path) => mkdirSync(path)],
  ['a link in a circle', (path) => symlinkSync(path, path)],
  ['a device without an end', (path) => symlinkSync('/dev/zero', path)],
];
for (const [what, make] of NO_FILES) {
  attack(30, `policies/x.toml is ${what}: no hang, and the other files hold`, async (rig) => {
    rig.writeHome('policies/good.toml', shellRule('deny', ['curl']));
    make(join(rig.home, '.gemini/policies/x.toml'));
    expectDenied(await callOnce(rig, 'run_shell_command', { command: 'curl x' }, { mode: 'yolo' }));
  });
  attack(30, `settings.json is ${what}: no hang, and it is named`, async (rig) => {
    make(join(rig.home, '.gemini/settings.json'));
    const run = await rig.cli('-p', 'x', { timeoutMs: 15_000 });
    expect(run.exitCode, run.stderr).toBe(52);
    expect(run.stderr).toContain('settings.json');
  });
  attack(30, `.env is ${what}: no hang`, async (rig) => {
    make(rig.path('.env'));
    await expectWorks(rig);
  });
}

async function expectWorks(rig: TestRig) {
  rig.model.replies([text('ok')]);
  const run = await rig.cli('-p', 'x', { timeoutMs: 15_000 });
  expect({ exitCode: run.exitCode, stdout: run.stdout }, run.stderr).toEqual({ exitCode: 0, stdout: 'ok\n' });
  return run;
}

/** Checkers, policy files and settings that cannot work make calls ask or refuse, and are reported. They never fail open. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import { listWarnings } from './files/list-warnings.js';
import type { PolicyEngine } from './policy-engine.js';
import { policyLab, shell } from './policy-lab.test-helper.js';
import { describeProblem } from './rules/rule.js';

let lab: ReturnType<typeof policyLab>;
beforeEach(() => {
  lab = policyLab();
});
afterEach(() => lab.folder.cleanup());

const YOLO = { approvalMode: ApprovalMode.YOLO };
const write = (engine: PolicyEngine) =>
  engine.evaluate({ name: 'write_file', args: { file_path: 'a', content: '' } });
const read = (engine: PolicyEngine) => engine.evaluate({ name: 'read_file', args: { file_path: 'a' } });

/** An engine in yolo mode with these rules, and every message that the start shows the user. */
async function start(rules: string) {
  lab.write('home/.gemini/policies/rules.toml', rules);
  const engine = lab.make(YOLO);
  const loaded = await engine.reload();
  return { engine, lines: [...(loaded?.warnings ?? []), ...(loaded?.problems ?? []).map(describeProblem)] };
}

describe('a safety checker with a mistake', () => {
  const checker = (body: string) => `[[safety_checker]]\n${body}\n`;
  const SPEC = '[safety_checker.checker]\ntype = "in-process"\nname = "allowed-path"';
  it.each([
    ['without a checker', checker('toolName = "write_file"')],
    [
      'of an unknown type',
      checker('toolName = "write_file"\n[safety_checker.checker]\ntype = "web"\nname = "x"'),
    ],
    [
      'with a bad name',
      checker('toolName = "write_file"\n[safety_checker.checker]\ntype = "external"\nname = "../x"'),
    ],
    ['with a bad mode', checker(`toolName = "write_file"\nmodes = ["fast"]\n${SPEC}`)],
    ['with a bad pattern', checker(`toolName = "write_file"\nargsPattern = "("\n${SPEC}`)],
    ['with a bad priority', checker(`toolName = "write_file"\npriority = "high"\n${SPEC}`)],
    [
      'with a bad list in its configuration',
      checker(`toolName = "write_file"\n${SPEC}\nconfig = { included_args = 5 }`),
    ],
    ['with a configuration that is no table', checker(`toolName = "write_file"\n${SPEC}\nconfig = "x"`)],
    ['without a tool', checker(SPEC)],
    ['in single brackets', '[safety_checker]\ntoolName = "write_file"\n'],
    ['under a misspelt name', `[[safety_cheker]]\ntoolName = "write_file"\n`],
    ['of an unknown validator', '[[safety_checkers]]\n[safety_checkers.validator]\ntype = "magic"\n'],
    [
      'in a rule',
      '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 5\nsafety_checker = "mine"\n',
    ],
    [
      'in a rule, as a table',
      '[[rule]]\ntoolName = "write_file"\ndecision = "ask_user"\npriority = 5\n[rule.safety_checker]\ntype = "web"\nname = "x"\n' +
        '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 6\n',
    ],
  ])('makes its tools ask, lets others run, and is reported: %s', async (_, rules) => {
    const { engine, lines } = await start(rules);
    expect(await write(engine)).toBe('ask_user');
    expect(await read(engine)).toBe('allow');
    expect(lines).toEqual([expect.stringContaining('rules.toml')]);
    expect(lines[0]).toContain('error');
  });

  it('ends the program if the administrator wrote it', async () => {
    const file = join(lab.folder.path, 'admin.toml');
    writeFileSync(file, checker('toolName = "write_file"'));
    const engine = lab.make({ ...YOLO, sourcesWith: { adminPolicyPaths: [file] } });
    await expect(engine.reload()).rejects.toMatchObject({ exitCode: 52 });
  });

  it('restricts no other tool than it names', async () => {
    const { engine } = await start(checker('toolName = "web_fetch"'));
    expect(await write(engine)).toBe('allow');
    expect(await engine.evaluate({ name: 'web_fetch', args: {} })).toBe('ask_user');
  });
});

describe('a safety checker that cannot be run', () => {
  const external = (name: string) =>
    `[[safety_checker]]\ntoolName = "write_file"\n[safety_checker.checker]\ntype = "external"\nname = "${name}"\n`;
  const path = (name: string) => join(lab.globalDir, 'checkers', name);
  const program = (name: string, mode = 0o755) => {
    mkdirSync(join(lab.globalDir, 'checkers'), { recursive: true });
    writeFileSync(path(name), `#!/bin/sh\necho '{"decision":"allow"}'\n`);
    chmodSync(path(name), mode);
  };
  it.each<[string, string, () => void]>([
    ['is missing', 'does not exist', () => undefined],
    ['is not executable', 'may not be run', () => program('mine', 0o644)],
    ['is a directory', 'is not a file', () => mkdirSync(path('mine'), { recursive: true })],
    ['is world-writable', 'could be replaced', () => program('mine', 0o777)],
    [
      'lies in a world-writable folder',
      'could be replaced',
      () => {
        program('mine');
        chmodSync(join(lab.globalDir, 'checkers'), 0o777);
      },
    ],
    [
      'is a link that leads nowhere',
      'leads nowhere',
      () => {
        program('other');
        symlinkSync('/nowhere', path('mine'));
      },
    ],
  ])('refuses the call and is reported at every start because it %s', async (_, reason, prepare) => {
    prepare();
    const { engine, lines } = await start(external('mine'));
    expect(await engine.check({ name: 'write_file', args: {} })).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining(reason),
    });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`Security: .*"mine".*${reason}`))]);
  });

  it('refuses the call because the program has no such checker', async () => {
    const { engine, lines } = await start(external('mine').replace('external', 'in-process'));
    expect(await write(engine)).toBe('deny');
    expect(lines).toEqual([expect.stringContaining('does not exist in this program')]);
  });
});

describe('a policy file that cannot be read', () => {
  const policies = () => join(lab.globalDir, 'policies');
  it.each<[string, () => void]>([
    ['is not valid TOML', () => lab.write('home/.gemini/policies/a.toml', '[[rule')],
    ['is a directory', () => mkdirSync(join(policies(), 'a.toml'), { recursive: true })],
    [
      'is a link that leads nowhere',
      () => {
        mkdirSync(policies(), { recursive: true });
        symlinkSync('/nowhere', join(policies(), 'a.toml'));
      },
    ],
    [
      'lies behind a link that leads nowhere',
      () => {
        mkdirSync(lab.globalDir, { recursive: true });
        symlinkSync('/nowhere', policies());
      },
    ],
  ])('makes calls ask that it might forbid, in yolo mode too, because it %s', async (_, prepare) => {
    prepare();
    const engine = lab.make(YOLO);
    const loaded = await engine.reload();
    expect(loaded?.problems).toHaveLength(1);
    expect(await write(engine)).toBe('ask_user');
    expect(await shell(engine, 'make')).toBe('ask_user');
    expect(await read(engine)).toBe('allow');
  });

  it('makes calls ask because --policy names a missing file', async () => {
    const engine = lab.make({ ...YOLO, sourcesWith: { policyPaths: [join(lab.home, 'typo.toml')] } });
    const loaded = await engine.reload();
    expect(loaded?.problems).toHaveLength(1);
    expect(await write(engine)).toBe('ask_user');
  });

  it('any more keeps its last checkers and restrictions in force, and restricts nothing else', async () => {
    const { engine } = await start(
      '[[rule]]\ntoolName = "web_fetch"\ndecision = "deny"\npriority = 5\n' +
        '[[safety_checker]]\ntoolName = "write_file"\n[safety_checker.checker]\ntype = "in-process"\nname = "none"\n',
    );
    expect(await write(engine)).toBe('deny');
    lab.write('home/.gemini/policies/rules.toml', '[[rule');
    for (let round = 0; round < 3; round++) {
      await engine.reload();
      expect(await write(engine)).toBe('deny');
      expect(await engine.evaluate({ name: 'web_fetch', args: {} })).toBe('deny');
      expect(await shell(engine, 'make')).toBe('allow');
    }
    rmSync(join(policies(), 'rules.toml'));
    await engine.reload();
    expect(await write(engine)).toBe('allow');
  });

  it('stops restricting when it can be read again', async () => {
    const { engine } = await start('[[rule');
    expect(await write(engine)).toBe('ask_user');
    lab.write('home/.gemini/policies/rules.toml', '');
    await engine.reload();
    expect(await write(engine)).toBe('allow');
  });
});

describe('a settings list', () => {
  const NAMES = ['run_shell_command', 'write_file'];
  it.each([
    [
      { excludedTools: ['run_shel_command'] },
      'tools.exclude in settings.json: there is no tool "run_shel_command"',
    ],
    [{ confirmationRequired: ['write_fil'] }, 'Did you mean "write_file"?'],
    [{ excludedTools: ['run_shell_command(rm'] }, 'there is no tool'],
    [{ excludedTools: ['write_file(src)'] }, 'counts for all of write_file'],
  ])('causes a warning if an entry restricts nothing: %j', (lists, line) => {
    expect(listWarnings(lists, NAMES)).toEqual([expect.stringContaining(line)]);
  });

  it.each([
    [
      {
        excludedTools: [
          'run_shell_command(rm)',
          'write_file',
          'mcp_a_*',
          'mcp_x_y',
          'discovered_tool_a',
          '*',
        ],
      },
    ],
    [{ allowedTools: ['nothing'] }],
    [{}],
  ])('causes no warning: %j', (lists) => {
    expect(listWarnings(lists, NAMES)).toEqual([]);
  });

  it('refuses all of a tool that is excluded with a prefix, unless it is the shell', async () => {
    const engine = lab.make({ ...YOLO, excludedTools: ['write_file(src)', 'run_shell_command(make)'] });
    expect(await write(engine)).toBe('deny');
    expect(await shell(engine, 'make')).toBe('deny');
    expect(await shell(engine, 'cc')).toBe('allow');
  });
});

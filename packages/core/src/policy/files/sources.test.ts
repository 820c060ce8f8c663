/** Tests where policy files are loaded from, and which of their rules count. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FatalConfigError } from '../../base/errors.js';
import { processEnvironment } from '../../platform/environment.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { policyLab, shell } from '../policy-lab.test-helper.js';
import { describeProblem } from '../rules/rule.js';
import { loadPolicies, type PolicySources } from './sources.js';

let lab: ReturnType<typeof policyLab>;
beforeEach(() => {
  lab = policyLab();
});
afterEach(() => lab.folder.cleanup());
const rule = (tool: string, decision: string) =>
  `[[rule]]\ntoolName = "${tool}"\ndecision = "${decision}"\npriority = 10\n`;
const BOTH = rule('a_tool', 'allow') + rule('b_tool', 'deny');

function load(rest: Partial<PolicySources> = {}) {
  return loadPolicies({
    globalDir: lab.globalDir,
    environment: processEnvironment(),
    projectDir: lab.project,
    trusted: true,
    interactive: true,
    adminDir: join(lab.folder.path, 'admin'),
    ...rest,
  });
}
const summary = async (rest: Partial<PolicySources> = {}) =>
  (await load(rest)).rules.map(({ tier, decision, toolNames }) => `${tier} ${decision} ${toolNames?.[0]}`);

describe('loading user policies', () => {
  it('reads all files of one folder in the order of their names, except sandbox.toml', async () => {
    lab.write('home/.gemini/policies/b.toml', rule('second', 'deny'));
    lab.write('home/.gemini/policies/a.toml', rule('first', 'deny'));
    lab.write('home/.gemini/policies/sandbox.toml', rule('never', 'deny'));
    lab.write('home/.gemini/policies/deep/c.toml', rule('never', 'deny'));
    expect(await summary()).toEqual(['user deny first', 'user deny second']);
  });

  it('replaces the allow rules of that folder with --policy, and warns the user', async () => {
    lab.write('home/.gemini/policies/a.toml', BOTH);
    lab.write('mine.toml', rule('c_tool', 'allow'));
    const policyPaths = [join(lab.folder.path, 'mine.toml')];
    expect(await summary({ policyPaths })).toEqual(['user allow c_tool', 'user deny b_tool']);
    expect((await load({ policyPaths })).warnings).toEqual([
      expect.stringContaining('--policy replaces the allow rules'),
    ]);
  });

  it('reports a missing path and a broken file, and loads the others', async () => {
    lab.write('home/.gemini/policies/a.toml', '[[rule');
    lab.write('home/.gemini/policies/b.toml', rule('b_tool', 'deny'));
    const { rules, problems } = await load({ policyPaths: ['/nowhere.toml'] });
    expect(rules).toHaveLength(1);
    expect(problems.map(({ kind, file }) => [kind, file])).toEqual([
      ['file_read', '/nowhere.toml'],
      ['toml_parse', join(lab.globalDir, 'policies/a.toml')],
    ]);
    expect(describeProblem(problems[1] as never)).toMatch(/^\[USER\] Policy file error in .*a\.toml:1: /);
  });
});

describe('loading administrator policies', () => {
  const isRoot = process.getuid?.() === 0;
  it('ignores a directory that other users can write', async () => {
    lab.write('admin/a.toml', BOTH);
    chmodSync(join(lab.folder.path, 'admin'), 0o777);
    const loaded = await load();
    expect(loaded.rules).toEqual([]);
    expect(loaded.warnings).toEqual([expect.stringMatching(/^Security: .* are ignored: it/)]);
  });

  it.runIf(isRoot)(
    'accepts a directory that only root can write, and then ignores --admin-policy',
    async () => {
      lab.write('admin/a.toml', rule('b_tool', 'deny'));
      chmodSync(join(lab.folder.path, 'admin'), 0o755);
      lab.write('more.toml', rule('c_tool', 'deny'));
      const adminPolicyPaths = [join(lab.folder.path, 'more.toml')];
      expect(await summary({ adminPolicyPaths })).toEqual(['admin deny b_tool']);
      expect((await load({ adminPolicyPaths })).warnings).toEqual([
        expect.stringContaining('adminPolicyPaths are ignored'),
      ]);
      chmodSync(join(lab.folder.path, 'admin/a.toml'), 0o666);
      expect((await load()).warnings).toEqual([
        expect.stringContaining('a.toml: its group or others may write'),
      ]);
    },
  );

  it('reads --admin-policy, and a broken deny rule there ends the program', async () => {
    lab.write('more.toml', rule('c_tool', 'deny'));
    const sourcesWith = { adminPolicyPaths: [join(lab.folder.path, 'more.toml')] };
    expect(await summary(sourcesWith)).toEqual(['admin deny c_tool']);
    lab.write('more.toml', `${rule('c_tool', 'deny')}[[rule]]\ntoolName = "d"\ndecision = "deny"\n`);
    await expect(lab.engine({ sourcesWith })).rejects.toThrow(FatalConfigError);
    lab.write('more.toml', `${rule('c_tool', 'deny')}[[rule]]\ntoolName = "d"\ndecision = "allow"\n`);
    await expect(lab.engine({ sourcesWith })).resolves.toBeDefined();
  });
});

describe('loading workspace policies', () => {
  beforeEach(() => {
    lab.write('home/project/.gemini/policies/a.toml', BOTH);
    lab.write('home/project/.gemini/policies.toml', rule('c_tool', 'ask_user'));
  });

  it('keeps only restrictions until the user accepts the files, and again after a change', async () => {
    const shown: string[] = [];
    const accept =
      (answer: boolean) =>
      async (change: { state: string; allowRules: number; files: readonly string[] }) => {
        shown.push(`${change.state} ${change.allowRules} ${change.files.length}`);
        return answer;
      };
    const restricted = ['workspace deny b_tool', 'workspace ask_user c_tool'];
    expect(await summary({ interactive: false, acceptWorkspace: accept(true) })).toEqual(restricted);
    expect(await summary({ acceptWorkspace: accept(false) })).toEqual(restricted);
    expect(await summary({ acceptWorkspace: accept(true) })).toEqual([
      'workspace allow a_tool',
      ...restricted,
    ]);
    expect(await summary({ interactive: false })).toEqual(['workspace allow a_tool', ...restricted]);
    lab.write('home/project/.gemini/policies/a.toml', `${BOTH}# changed\n`);
    const changed = await load({ interactive: false });
    expect(changed.rules).toHaveLength(2);
    expect(changed.warnings).toEqual([expect.stringContaining('have changed')]);
    await load({ acceptWorkspace: accept(true) });
    expect(shown).toEqual(['new 1 2', 'new 1 2', 'changed 1 2']);
    const store = JSON.parse(readFileSync(join(lab.globalDir, 'policy_integrity.json'), 'utf8'));
    expect(Object.keys(store)).toEqual([`workspace:${lab.project}`]);
  });

  it('does not ask about files without rules', async () => {
    lab.write('home/project/.gemini/policies/a.toml', '# nothing yet\n');
    lab.write('home/project/.gemini/policies.toml', '[rul]\n');
    const asked: unknown[] = [];
    const acceptWorkspace = async (change: unknown) => asked.push(change) > 0;
    const { warnings, problems } = await load({ acceptWorkspace });
    expect({ asked, warnings }).toEqual({ asked: [], warnings: [] });
    expect(problems).toHaveLength(1);
    expect((await load({ interactive: false })).warnings).toEqual([]);
  });

  it('ignores them in an untrusted folder and when the project is the home', async () => {
    expect(await summary({ trusted: false })).toEqual([]);
    expect(await summary({ globalDir: join(lab.project, '.gemini') })).not.toContain('workspace deny b_tool');
  });

  it('does not let them overrule the user', async () => {
    lab.write('home/.gemini/policies/a.toml', rule('a_tool', 'ask_user'));
    const engine = await lab.engine({ sourcesWith: { acceptWorkspace: async () => true } });
    expect(await engine.evaluate({ name: 'a_tool', args: {} })).toBe('ask_user');
  });

  it('works with a damaged integrity store', async () => {
    lab.write('home/.gemini/policy_integrity.json', '[broken');
    expect(await summary({ interactive: false })).toHaveLength(2);
  });
});

describe('loading extension policies', () => {
  it('keeps only restrictions', async () => {
    lab.write(
      'ext/policies/a.toml',
      `${BOTH}[[rule]]\ntoolName = "x_tool"\ndecision = "deny"\npriority = 1\nmodes = ["yolo"]\n[[safety_checker]]\ntoolName = "y_tool"\nmodes = ["yolo"]\n[safety_checker.checker]\ntype = "in-process"\nname = "allowed-path"\n`,
    );
    const extensions = [
      { name: 'e', path: join(lab.folder.path, 'ext'), excludeTools: ['google_web_search', 'glob'] },
    ];
    expect(await summary({ extensions })).toEqual([
      'extension deny b_tool',
      'extension deny google_web_search',
      'extension deny glob',
    ]);
    const loaded = await load({ extensions });
    expect(loaded.checkers).toEqual([]);
    expect(loaded.rules[0]?.source).toBe(`Extension (e): ${join(lab.folder.path, 'ext/policies/a.toml')}`);
    expect(loaded.warnings).toHaveLength(3);
    const engine = await lab.engine({ sourcesWith: { extensions } });
    expect(await engine.evaluate({ name: 'a_tool', args: {} })).toBe('ask_user');
    expect(engine.isAlwaysDenied('b_tool')).toBe(true);
  });

  it.each([
    'run_shell_command(rm -rf)',
    'run_shell_command("rm -rf")',
    "run_shell_command('rm -rf *')",
    'run_shell_command(rm -rf *)',
    'run_shell_command(rm -rf:*)',
    'shell_exec(/bin/rm -rf)',
  ])('excludes commands by the prefix in %s, and no others', async (entry) => {
    const extensions = [{ name: 'e', path: join(lab.folder.path, 'ext'), excludeTools: [entry] }];
    const engine = await lab.engine({ sourcesWith: { extensions }, approvalMode: ApprovalMode.YOLO });
    expect(engine.isAlwaysDenied('run_shell_command')).toBe(false);
    expect(await shell(engine, 'rm -rf build')).toBe('deny');
    expect(await shell(engine, 'cd x && rm -rf build')).toBe('deny');
    expect(await shell(engine, 'echo rm')).toBe('allow');
  });

  it('excludes tools of MCP servers by pattern, and a whole tool where a prefix has no meaning', async () => {
    const excludeTools = ['github__*', 'mcp_jira_*', 'read_file(secret)', 'run_shell_command(*)'];
    const extensions = [{ name: 'e', path: join(lab.folder.path, 'ext'), excludeTools }];
    const engine = await lab.engine({ sourcesWith: { extensions }, approvalMode: ApprovalMode.YOLO });
    const ofServer = (server: string) =>
      engine.evaluate(
        { name: `mcp_${server}_find`, args: {} },
        { serverName: server, serverToolName: 'find' },
      );
    expect(await ofServer('github')).toBe('deny');
    expect(await ofServer('jira')).toBe('deny');
    expect(await ofServer('other')).toBe('allow');
    expect(engine.isAlwaysDenied('read_file')).toBe(true);
    expect(engine.isAlwaysDenied('run_shell_command')).toBe(true);
  });

  it('drops the rules of an extension that is no longer loaded', async () => {
    lab.write('ext/policies/a.toml', rule('b_tool', 'deny'));
    const extensions = [{ name: 'e', path: join(lab.folder.path, 'ext') }];
    const engine = await lab.engine({ sourcesWith: { extensions } });
    extensions.length = 0;
    expect(engine.isAlwaysDenied('b_tool')).toBe(true);
    await engine.reload();
    expect(engine.isAlwaysDenied('b_tool')).toBe(false);
  });
});

it('a reload applies a changed file', async () => {
  const engine = await lab.withRules(rule('b_tool', 'deny'));
  expect(engine.isAlwaysDenied('b_tool')).toBe(true);
  rmSync(join(lab.globalDir, 'policies'), { recursive: true });
  await engine.reload();
  expect(engine.isAlwaysDenied('b_tool')).toBe(false);
});

it('loading survives directories, links and odd file contents', async () => {
  mkdirSync(join(lab.globalDir, 'policies/dir.toml'), { recursive: true });
  symlinkSync('/nowhere', join(lab.globalDir, 'policies/link.toml'));
  writeFileSync(join(lab.globalDir, 'policies/huge.toml'), Buffer.alloc(2 * 1024 * 1024, 35));
  writeFileSync(join(lab.globalDir, 'policies/z.toml'), rule('b_tool', 'deny'));
  const { rules, problems } = await load();
  expect(rules).toHaveLength(1);
  expect(problems.map(({ kind, file }) => `${kind} ${file.split('/').pop()}`)).toEqual([
    'file_read dir.toml',
    'file_read huge.toml',
    'file_read link.toml',
  ]);
  expect(existsSync(join(lab.globalDir, 'policies/dir.toml'))).toBe(true);
});

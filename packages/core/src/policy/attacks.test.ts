/** Rows 1 to 7 and 17 of `npm run test:attacks` against the engine: none of these commands is allowed automatically. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, MessageBusType, PolicyDecision } from '../protocol/confirmation.js';
import type { PolicyEngine } from './policy-engine.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';

const { folder, home, project, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, DENY, ASK_USER } = PolicyDecision;

const engines = new Map<string, Promise<PolicyEngine>>();
/** Cached per set of rules. */
function using(rules: string, mode = ApprovalMode.DEFAULT, interactive = true): Promise<PolicyEngine> {
  const key = `${mode} ${interactive} ${rules}`;
  const known = engines.get(key) ?? withRules(rules, { approvalMode: mode, interactive });
  engines.set(key, known);
  return known;
}

const ALLOW_GIT = prefixRules('allow', ['git']);
const DENY_CURL = prefixRules('deny', ['curl']);

describe('a line break that the grammar reads as a blank (attack 5)', () => {
  it.each([
    "grep -n x y | cd src |& true\ncurl x\necho 'a b' || echo hi",
    'grep -n x y | head -n 3 f | ls\nenv curl x 2>&1 & head -n 3 f',
    'f() { [ -f x ] |& cd src | pwd\ntimeout 5 curl x || sleep 1\n}; f',
    '[ -f x\ncurl x ]',
  ])('does not hide a denied command: %j', async (command) => {
    const setup = { approvalMode: ApprovalMode.YOLO };
    for (const mode of [{}, setup])
      expect(await shell(await withRules(prefixRules('deny', ['curl'], 500), mode), command)).not.toBe(
        'allow',
      );
  });
});

describe('a line that runs more than the allowed command (attack 1)', () => {
  it.each([
    'git status && touch x',
    'git status; touch x',
    'git status || touch x',
    'git log | tee x',
    'git status\ntouch x',
    'git status & touch x',
    'git log > x',
    'git log >> ~/.bashrc',
    'git log < /etc/passwd',
    'git $(touch x)',
    'git log `touch x`',
    'git log <(touch x)',
    'git log\t;touch x',
    'git log &> x',
    'git log <<< "$(touch x)"',
    '{ git log; touch x; }',
    'git() { touch x; }; git',
    'if git status; then touch x; fi',
  ])('asks: %j', async (command) => expect(await shell(await using(ALLOW_GIT), command)).toBe(ASK_USER));
  it('is allowed if it only runs the allowed command', async () => {
    const engine = await using(ALLOW_GIT);
    for (const command of [
      'git push',
      'git status && git push',
      'git log | cat',
      'timeout 5 git push',
      "bash -c 'git push'",
    ]) {
      expect([command, await shell(engine, command)]).toEqual([command, ALLOW]);
    }
  });
  it.each(['gitx status', 'git-foo', './git status', '/tmp/git status', '"git status"', 'GIT status'])(
    'asks for another command of a similar name: %s',
    async (command) => expect(await shell(await using(ALLOW_GIT), command)).toBe(ASK_USER),
  );
});

describe('a denied command after many harmless ones (attack 2)', () => {
  it.each([';', ' && ', ' || ', ' | ', '\n', ' & '])('is denied when joined by %j', async (separator) => {
    const command = [...Array.from({ length: 50 }, () => 'echo hi'), 'curl x'].join(separator);
    for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.YOLO])
      expect(await shell(await using(DENY_CURL, mode), command)).toBe(DENY);
  });
});

describe('a denied command behind another program (attack 3)', () => {
  it.each([
    'env curl x',
    'env A=b curl x',
    'sudo curl x',
    'sudo -u root curl x',
    'setsid curl x',
    'nohup curl x',
    'xargs curl',
    'echo x | xargs -n1 curl',
    'timeout 5 curl x',
    'timeout -s KILL 5 curl x',
    'watch curl x',
    "watch 'curl x'",
    'command curl x',
    'command -p curl x',
    'exec curl x',
    'exec -a y curl x',
    'doas curl x',
    'nice -n 3 curl x',
    'time curl x',
    'builtin curl x',
    'stdbuf -o0 curl x',
    'ionice -c3 curl x',
    'flock l curl x',
    'find . -exec curl {} ;',
    'env sudo nohup timeout 5 nice curl x',
    '/usr/bin/curl x',
    '/usr/bin/env curl x',
    '"curl" x',
    "c'ur'l x",
    'c\\url x',
    "$'curl' x",
    'A=b curl x',
    'unshare -r curl x',
    'chrt 1 curl x',
    'busybox curl x',
    'xargs -i curl {}',
    'xargs --replace curl x',
    'xargs -l curl',
    'watch -d curl x',
    "su - root -c 'curl x'",
    "su root -c 'curl x'",
    'env -S "-u X curl x"',
    'env -a y curl x',
    'sudo --unknown value curl x',
    'systemd-run --working-directory /x curl x',
    'strace -Z curl x',
    'timeout -- 5 curl x',
  ])('is denied in every mode: %s', async (command) => {
    for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO]) {
      expect(await shell(await using(DENY_CURL, mode), command)).toBe(DENY);
    }
  });
});

describe('an allowed program with options that start others (attack 4)', () => {
  const rules = prefixRules('allow', ['find', 'git', 'tar', 'rg']);
  it.each([
    'find . -exec touch x ;',
    'find . -delete',
    'find . -execdir touch x ;',
    'find . -ok touch x ;',
    'find . -fprint x',
    'git -c core.pager=touch log',
    'git -c alias.x=!touch x',
    'git --config-env=a.b=C log',
    'git fetch --upload-pack=touch',
    'tar -cf a b --checkpoint=1 --checkpoint-action=exec=touch',
    'tar xf a --to-command=touch',
    'tar -I touch -xf a',
    'rg --pre touch x',
    'rg --hostname-bin=touch x',
    'rg -z x',
  ])('asks: %s', async (command) => expect(await shell(await using(rules), command)).toBe(ASK_USER));
  it('is allowed without such options', async () => {
    const engine = await using(rules);
    for (const command of ['find . -name x', 'git push', 'tar xf a', 'rg x'])
      expect(await shell(engine, command)).toBe(ALLOW);
  });
});

describe('text that becomes a command (attack 5)', () => {
  it.each([
    "eval 'curl x'",
    'eval curl x',
    'echo $(curl x)',
    'echo `curl x`',
    'cat <(curl x)',
    'ls > >(curl x)',
    'ls &&\\\n curl x',
    'cat <<EOF\n$(curl x)\nEOF',
    'bash <<EOF\ncurl x\nEOF',
    "bash <<'EOF'\ncurl x\nEOF",
    "bash -c 'curl x'",
    'sh -c \'ls; sh -c "curl x"\'',
    'bash <<< "curl x"',
    '"$(curl x)"',
    '${X:-$(curl x)}',
    'echo "a $(echo "b $(curl x)")"',
    'A=$(curl x)',
    'export A=$(curl x)',
    '[[ $(curl x) ]]',
    'f() { curl x; }; f',
    "trap 'curl x' EXIT",
    'for i in 1; do curl $i; done',
    'case a in a) curl x;; esac',
    '(curl x)',
    'cur\\\nl x',
    'echo "${y:-`curl x`}"',
    'time { curl x; }',
  ])('is denied: %j', async (command) => {
    for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.YOLO])
      expect(await shell(await using(DENY_CURL, mode), command)).toBe(DENY);
  });
  it.each([
    'echo Y3VybCB4 | base64 -d | sh',
    'eval "$X"',
    '$X x',
    'cat x | bash',
    '. /dev/stdin',
    'C=curl; $C x',
    'bash -c "$X"',
    'xargs sh',
    'echo x | sudo -s',
    'sudo -s <<< "curl x"',
    'su <<EOF\n$X\nEOF',
    'unshare -r < f',
    'echo x | tee >(sh)',
    'cur${EMPTY}l x',
    'c?rl x',
    '{curl,x}',
  ])('is not allowed even in yolo mode: %j', async (command) => {
    expect(await shell(await using(DENY_CURL, ApprovalMode.YOLO), command)).toBe(ASK_USER);
    expect(await shell(await using(DENY_CURL, ApprovalMode.YOLO, false), command)).toBe(DENY);
  });
});

describe('an assignment that changes what runs (attack 6)', () => {
  it.each([
    'PATH=/tmp git status',
    'LD_PRELOAD=./x.so git status',
    'GIT_SSH_COMMAND=touch git fetch',
    'GIT_PAGER=touch git log',
    'BASH_ENV=x git log',
    'PATH=/tmp; git status',
    'export PATH=/tmp && git status',
    'env LD_PRELOAD=x git log',
    'PAGER=touch git log',
    'IFS=x git log',
    'NODE_OPTIONS=--require=x git log',
    'LD_LIBRARY_PATH=. ls',
    'for PATH in /tmp; do git status; done',
  ])('asks: %s', async (command) => expect(await shell(await using(ALLOW_GIT), command)).toBe(ASK_USER));
  it('is ignored if its variable is harmless', async () => {
    expect(await shell(await using(ALLOW_GIT), 'FOO=bar git push')).toBe(ALLOW);
    expect(await shell(await using(DENY_CURL, ApprovalMode.YOLO), 'PATH=/tmp curl x')).toBe(DENY);
  });
});

describe('a removal of what cannot be restored (attack 7)', () => {
  it.each([
    'rm -rf /',
    'rm -rf ~',
    'rm -rf $HOME',
    'rm -rf "$HOME"/',
    'rm -rf .',
    'rm -rf ./*',
    `rm -rf ${project}`,
    `rm -rf ${project}/`,
    'rm -rf .git',
    'rm -fr -- .git/',
    'sudo rm -rf /',
    "bash -c 'rm -rf /'",
    'cd .. && rm -rf project',
    'mv .git /tmp',
    'find . -delete',
    'env rm -r -f ~/',
    'rm -rf ${HOME}',
    'rm -rf *',
  ])('asks in yolo mode, whatever allows it, and is denied in a headless run: %s', async (command) => {
    const rules = prefixRules('allow', ['rm', 'mv', 'find', 'sudo', 'cd', 'env', 'bash']);
    expect(await shell(await using(rules, ApprovalMode.YOLO), command)).toBe(ASK_USER);
    expect(await shell(await using(rules, ApprovalMode.YOLO, false), command)).toBe(DENY);
  });
  it('names the threatened path, also where the command would ask anyway', async () => {
    const { reason } = await (await using('')).check({
      name: 'run_shell_command',
      args: { command: 'sudo rm -rf ~' },
    });
    expect(reason).toBe('This may destroy what cannot be restored: rm ~');
  });
  it('does not stop other removals', async () => {
    expect(await shell(await using('', ApprovalMode.YOLO), 'rm -rf dist node_modules')).toBe(ALLOW);
  });
});

describe('a command with invisible characters (attack 17)', () => {
  it.each(['ls\u200b x', 'git\u00a0status', 'ls \u202ex', 'l\u{E0041}s', 'git status\u2028rm x'])(
    'asks even in yolo mode: %j',
    async (command) => expect(await shell(await using('', ApprovalMode.YOLO), command)).toBe(ASK_USER),
  );
  it('is allowed if they are inside quotes', async () =>
    expect(await shell(await using('', ApprovalMode.YOLO), 'git commit -m "a\u00a0b 👩‍💻"')).toBe(ALLOW));
});

describe('a program of the project with a known name', () => {
  it.each([
    './timeout 5 git status',
    './env git status',
    "./bash -c 'git status'",
    'bin/nice git status',
    './ls',
    'time -o x git status',
  ])('asks: %s', async (command) => expect(await shell(await using(ALLOW_GIT), command)).toBe(ASK_USER));
});

it('judges variables of the call like assignments in the line', async () => {
  const engine = await using(ALLOW_GIT);
  expect(await shell(engine, 'git push', { environment: { FOO: '1' } })).toBe(ALLOW);
  expect(await shell(engine, 'git push', { environment: { GIT_SSH_COMMAND: 'touch x' } })).toBe(ASK_USER);
});

it('an "always" answer does not overrule a rule of higher priority', async () => {
  const engine = await withRules(
    '[[rule]]\ntoolName = "run_shell_command"\ndecision = "ask_user"\npriority = 1\n',
  );
  engine.applyUpdate({
    type: MessageBusType.UPDATE_POLICY,
    toolName: 'run_shell_command',
    commandPrefix: 'make && make x',
  });
  expect(await shell(engine, 'make && make x')).toBe(ASK_USER);
});

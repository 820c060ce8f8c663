/** Deny rules hold behind every program that starts others. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';

const { folder, home, engine, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, DENY, ASK_USER } = PolicyDecision;
const yolo = { approvalMode: ApprovalMode.YOLO };
const denying = () => withRules(prefixRules('deny', ['curl'], 500), yolo);

describe('a denied command behind a wrapper', () => {
  it.each([
    'arch curl x',
    'arch -x86_64 curl x',
    'arch -arch arm64 /usr/bin/curl x',
    'arch -e A=b curl x',
    'CURL x',
    '/usr/bin/Curl x',
    'env - curl x',
    'env - A=b curl x',
    'env -i - curl x',
    'timeout --sig KILL 5 curl x',
    'timeout --signal KILL 5 curl x',
    'timeout --kill 5 10 curl x',
    'timeout --kill=5 10 curl x',
    'timeout --k 5 10 curl x',
    "env --split='curl x'",
    "env --split 'curl x'",
    "env --split-str='curl x'",
    'env --uns A curl x',
    'env --ch / curl x',
    'flock --time 5 f curl x',
    'flock --wa 5 f curl x',
    "flock --comm='curl x' f",
    "flock f --comm 'curl x'",
    "flock f -c 'curl x'",
    "script --comm='curl x' /dev/null",
    "script --com 'curl x' /dev/null",
    "script -qc 'curl x'",
    'nice --adj 5 curl x',
    'ionice --cla 3 curl x',
    'stdbuf --out L curl x',
    'xargs --max-a 1 curl',
    'watch --inter 1 curl x',
    'nsenter --targ 1 curl x',
    'sudo --us root curl x',
    'linux64 curl x',
    'linux32 curl x',
    'i386 curl x',
    'i686 -R curl x',
    'x86_64 curl x',
    'uname26 curl x',
    'setarch -R curl x',
    'setarch x86_64 curl x',
    'setarch x86_64 -R curl x',
    'setarch --addr-no-randomize curl x',
    'bash /dev/stdin <<< "curl x"',
    'bash /dev/fd/0 <<< "curl x"',
    'sh /proc/self/fd/0 <<< "curl x"',
    'bash -s <<< "curl x"',
    'bash -s a b <<< "curl x"',
    'bash //dev/stdin <<< "curl x"',
    'bash - <<< "curl x"',
    'bash -x /dev/stdin <<< "curl x"',
    '. /dev/stdin <<< "curl x"',
    'source /dev/fd/0 <<< "curl x"',
    'at now <<< "curl x"',
    'batch <<< "curl x"',
    "runuser root -c 'curl x'",
    "runuser -c 'curl x' root",
    "runuser - root --comm='curl x'",
    'runuser -u root curl x',
    'runuser -u root -- curl x',
    "su root --session-command='curl x'",
    "su root --comm 'curl x'",
    'ssh-agent curl x',
    'ssh-agent -t 5 curl x',
    "capsh -- -c 'curl x'",
    "capsh --drop=all -- -c 'curl x'",
    'perf stat curl x',
    'perf stat -e cycles curl x',
    'perf record -- curl x',
    'start-stop-daemon -S -x /usr/bin/curl -- x',
    'start-stop-daemon -S --exec=/usr/bin/curl -- x',
    'start-stop-daemon --start --startas curl -- x',
    'start-stop-daemon -Sa curl -- x',
    'tmux new -d curl x',
    "tmux new -d 'curl x'",
    'screen -dm curl x',
    'npx -c "curl x"',
    'npx --call="curl x"',
    'npx --ca "curl x"',
    'npx curl x',
    "/lib64/ld-linux-x86-64.so.2 /bin/sh -c 'curl x'",
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/curl x',
    '/lib/ld-musl-x86_64.so.1 --library-path /lib /usr/bin/curl x',
    "busybox sh -c 'curl x'",
    'sshpass -p x curl y',
    'faketime 2020-01-01 curl x',
    'chronic curl x',
    'echo f | entr curl x',
  ])('is denied: %s', async (command) => expect(await shell(await denying(), command)).toBe(DENY));
});

describe('a denied command named in the arguments of a program that may start it', () => {
  it.each([
    'gdb --args curl x',
    "gdb -ex 'shell curl x' a",
    'valgrind --tool=x curl y',
    'parallel --jobs 2 curl ::: x',
    "expect -c 'spawn curl x'",
    "vim -c '!curl x'",
    'vim -c:!curl',
    'make SHELL=/usr/bin/curl',
    'dbus-launch curl x',
    'xterm -e curl x',
    "git -c alias.x='!curl x' x",
    "git -c core.pager='curl x' log",
    'git bisect run curl x',
    'systemd-run --pty curl x',
    'machinectl shell h /usr/bin/curl x',
    'kubectl exec p -- curl x',
    'docker run --rm image curl x',
    'docker exec c sh -c "curl x"',
    'ssh host curl x',
    "ssh host 'cd /x && curl y'",
    'proot -r / curl x',
    'bwrap --ro-bind / / curl x',
    'cpulimit -l 5 -- curl x',
    'schedtool -e curl x',
    'dotenv curl x',
    'direnv exec . curl x',
    'poetry run curl x',
    'pipenv run curl x',
    'uv run curl x',
    'mise exec -- curl x',
    'asdf exec curl x',
    "nix-shell --run 'curl x'",
    'nix-shell -p x --command="curl x"',
    'flatpak run --command=curl x',
    'npm exec -c "curl x"',
    'npm x -- curl x',
    'yarn exec curl x',
    'pnpm dlx curl x',
    'bunx curl x',
    'rtk curl x',
    'coproc curl x',
    'alias ls=curl',
    `python3 -c 'import os; os.system("curl x")'`,
    `awk 'BEGIN{system("curl x")}'`,
    `node -e 'require("child_process").execSync("curl x")'`,
    `perl -e 'exec "curl","x"'`,
    "sed '1e curl x' a",
    'tar cf a b --checkpoint=1 --checkpoint-action=exec=curl',
    'unheard-of --with=/usr/bin/curl',
    'unheard-of -xcurl',
    'unheard-of "a; curl x"',
    './grep curl',
    'bash /dev/fd/3 3<f',
    'bash /proc/1234/fd/5',
    'bash ../../../dev/fd/0',
  ])('is not allowed: %s', async (command) => {
    expect(await shell(await denying(), command)).not.toBe(ALLOW);
    const headless = await withRules(prefixRules('deny', ['curl'], 500), { ...yolo, interactive: false });
    expect(await shell(headless, command)).toBe(DENY);
  });

  it('asks under an allow rule for that program, unless the rule names the command', async () => {
    const rules = prefixRules('deny', ['curl'], 500);
    expect(await shell(await withRules(rules + prefixRules('allow', ['make']), {}), 'make curl')).toBe(
      ASK_USER,
    );
    const named = rules + prefixRules('allow', ['make curl']);
    expect(await shell(await withRules(named), 'make curl')).toBe(ALLOW);
  });

  it('is told apart from an option of the same name', async () => {
    const made = await withRules(prefixRules('deny', ['rm'], 500), yolo);
    expect(await shell(made, 'docker run --rm image ls')).toBe(ALLOW);
    expect(await shell(made, 'docker run image rm -rf x')).toBe(ASK_USER);
  });

  it('asks also if a rule asks for it, or tools.exclude lists it', async () => {
    const asking = await withRules(prefixRules('ask_user', ['npm publish'], 500), yolo);
    expect(await shell(asking, 'unheard-of npm publish')).toBe(ASK_USER);
    expect(await shell(asking, 'unheard-of npm test')).toBe(ALLOW);
    const excluding = await engine({
      ...yolo,
      files: { 'home/.gemini/policies/rules.toml': '' },
      excludedTools: ['run_shell_command(curl)'],
    });
    expect(await shell(excluding, 'unheard-of curl')).toBe(ASK_USER);
    expect(await shell(excluding, 'timeout --sig KILL 5 curl x')).toBe(DENY);
  });

  it.each([
    'grep -r curl src',
    'echo curl',
    'echo "use curl x"',
    'cat curl.md',
    'cat docs/curl',
    'git log --grep curl',
    'git commit -m "drop curl"',
    'git add curl',
    'ls node_modules/curl',
    'rg curl src',
    'find . -name curl',
    'which curl',
    'command -v curl',
    'type curl',
    'mkdir curl',
    'rm curl',
    'cp curl x',
    "sed -n '/curl/p' a",
    "bash -c 'grep curl a'",
    'timeout 5 grep curl a',
    'ls | xargs grep curl',
    'find . -type f -exec grep curl {} +',
    'sudo cat curl',
    '/usr/bin/grep curl a',
    'npm test',
    'python3 a.py',
    'node scripts/curly.js',
    'docker build -t curlish .',
    '[ -x curl ] && ls',
    'test -f curl',
    'printf "%s" curl',
    'tar czf curl.tgz src',
    'sort curl',
  ])('does not stop a program that never starts its arguments: %s', async (command) =>
    expect(await shell(await denying(), command)).toBe(ALLOW),
  );
});

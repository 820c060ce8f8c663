/** A deny rule holds behind every wrapper; an allow rule covers no option that starts another program. */
import { afterAll, describe, expect, it } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import type { PolicyEngine } from '../policy-engine.js';
import { policyLab, prefixRules, shell } from '../policy-lab.test-helper.js';

const { folder, withRules } = policyLab();
afterAll(() => folder.cleanup());

const engines = new Map<string, Promise<PolicyEngine>>();
function using(rules: string, approvalMode = ApprovalMode.DEFAULT): Promise<PolicyEngine> {
  const key = `${approvalMode} ${rules}`;
  const engine = engines.get(key) ?? withRules(rules, { approvalMode });
  engines.set(key, engine);
  return engine;
}

describe('a denied command behind a wrapper in yolo mode (attack 35)', () => {
  const DENY_CURL = prefixRules('deny', ['curl'], 500);
  it.each([
    'env - curl x',
    'env -iu HOME curl x',
    "env --split='curl x'",
    "env -vS'curl x'",
    'env --unse A curl x',
    'env --chd / curl x',
    'timeout --sig KILL 5 curl x',
    'timeout --kill 5 10 curl x',
    'timeout -vk 5 10 curl x',
    'timeout --verb --sig=9 5 curl x',
    'nice --adj 5 curl x',
    'stdbuf --outp L curl x',
    'ionice --cl 3 curl x',
    'flock --time 5 f curl x',
    'flock --wa 5 f curl x',
    'flock f --comm "curl x"',
    "script --comm='curl x' /dev/null",
    "script /dev/null -c 'curl x'",
    'setarch -R curl x',
    'setarch x86_64 -R curl x',
    'linux64 curl x',
    'linux32 curl x',
    'i386 curl x',
    'x86_64 -R curl x',
    'uname26 curl x',
    'bash /dev/stdin <<< "curl x"',
    'bash /dev/fd/0 <<< "curl x"',
    'bash //dev/stdin <<< "curl x"',
    'bash /dev/../dev/stdin <<< "curl x"',
    'bash /proc/self/fd/0 <<< "curl x"',
    'bash /proc/$$/fd/0 <<< "curl x"',
    'cd /dev && bash stdin <<< "curl x"',
    'bash <(echo curl x)',
    "runuser root -c 'curl x'",
    'runuser -u root -- curl x',
    'runuser - root --comm="curl x"',
    "su --session-command 'curl x'",
    "su --sess 'curl x' root",
    "sg - root -c 'curl x'",
    'newgrp root <<< "curl x"',
    'ssh-agent curl x',
    'ssh-agent -a sock curl x',
    "capsh -- -c 'curl x'",
    "capsh --print -- -c 'curl x'",
    'perf stat curl x',
    'perf record -o /dev/null curl x',
    'start-stop-daemon -S -x /usr/bin/curl -- x',
    'start-stop-daemon --start --startas /usr/bin/curl',
    'tmux new -d curl x',
    "tmux new-session -d 'curl x'",
    'screen -dm curl x',
    "/lib64/ld-linux-x86-64.so.2 /bin/sh -c 'curl x'",
    'ld.so /usr/bin/curl x',
    "npx -c 'curl x'",
    "npx --call='curl x'",
    "npm exec -c 'curl x'",
    'eval -- curl x',
    'coproc A=b curl x',
    "compgen -W '$(curl x)'",
    "sed 's/.*/curl x/e' a.txt",
    'xargs --max-ar 1 curl',
    'xargs --process-slot X curl',
    'unshare --map-user 0 curl x',
    'chroot --use root / curl x',
    'setpriv --reu 0 curl x',
    'unknown-program --run curl x',
    'made-up-wrapper curl x',
    'made-up-wrapper -- /usr/bin/curl x',
    'exec -c -a y curl x',
    'choom -n 0 -- curl x',
    'prlimit --nofile=9 curl x',
    'bash --posix -c "curl x"',
    'bash -c "curl x" curl',
    'bash -c \'"$@"\' x curl y',
    "bash -c '$0 y' curl",
  ])('does not run: %j', async (command) =>
    expect(await shell(await using(DENY_CURL, ApprovalMode.YOLO), command)).not.toBe(PolicyDecision.ALLOW),
  );

  it.each(['echo curl', 'grep -rn curl .', 'git log --grep curl', 'ls curl', 'cat curl.md', 'npm test'])(
    'does not stop a line that only names it: %j',
    async (command) =>
      expect(await shell(await using(DENY_CURL, ApprovalMode.YOLO), command)).toBe(PolicyDecision.ALLOW),
  );
});

describe('an option or subcommand that starts programs, under an allow rule (attack 36)', () => {
  it.each([
    'git fetch --upload-p=./p .',
    'git fetch --upl ./p .',
    'git clone -u ./p . x',
    'git clone -c core.fsmonitor=./p . x',
    'git clone --conf core.fsmonitor=./p . x',
    'git clone --config=core.fsmonitor=./p . x',
    'git clone --template=t . x',
    'git clone --templ t . x',
    'git init --template=t x',
    'git rebase -x ./p HEAD~1',
    'git rebase --exe=./p HEAD~1',
    'git rebase -ix ./p HEAD~1',
    'git bisect run ./p',
    'git push --receive-p=./p .',
    'git push --exe=./p .',
    'git grep --open-files-in-pager=./p x',
    'git grep --open=./p x',
    'git grep -O./p x',
    'git grep -nO./p x',
    "git config alias.x '!./p'",
    'git config --global alias.x !./p',
    'git config core.hooksPath hk',
    'git config --add core.pager ./p',
    'git config core.sshCommand ./p',
    'git config --file .git/config filter.x.clean ./p',
    'git archive -o ../x HEAD',
    'git archive --outp=../x HEAD',
    'git archive --exec=./p --remote=. HEAD',
    'git submodule foreach ./p',
    'git submodule --quiet foreach ./p',
    'git filter-branch --tree-filter ./p',
    'git difftool -x ./p',
    'git difftool --extcmd=./p',
    'git difftool --ext ./p',
    'git --exec-path=. x',
    'git -C . -c alias.x=!./p x',
    'git -ccore.pager=./p log',
    'git ls-remote --upload-pack=./p .',
    'git ls-remote ext::./p',
    'git clone ext::./p x',
    'git fetch ext::./p',
    'git remote add x ext::./p',
    'git send-email --smtp-server=./p',
    'git send-email --sendmail-cmd=./p',
    'git diff --output=../x',
    'git daemon --access-hook=./p',
    'git instaweb --httpd=./p',
    'tar xf a --checkpoint-a=exec=./p',
    'tar xf a --checkpoint=1 --checkpoint-action exec=./p',
    'tar --to-c=./p -xf a',
    'tar --use=./p -cf o a',
    'tar --use-compress-prog ./p -cf o a',
    'tar cIf ./p o a',
    'tar -cI ./p -f o a',
    'tar -I./p -cf o a',
    'tar cFf ./p o a',
    'tar --info-script=./p -cf o a',
    'tar --new-volume-s=./p -cf o a',
    'tar --rsh-command=./p -cf h:o a',
    'tar --rmt-command=./p -cf h:o a',
    'tar -cf o a -I ./p',
  ])('asks: %j', async (command) =>
    expect(await shell(await using(prefixRules('allow', ['git', 'tar'])), command)).toBe(
      PolicyDecision.ASK_USER,
    ),
  );

  it.each([
    'git push',
    'git commit -m x',
    'git rebase main',
    'git clone https://example.org/x',
    'tar czf o.tgz a',
    'tar xf a.tar',
    'git grep -n x',
    'git config user.name',
  ])('does not stop other forms of the program: %j', async (command) =>
    expect(await shell(await using(prefixRules('allow', ['git', 'tar'])), command)).toBe(
      PolicyDecision.ALLOW,
    ),
  );
});

describe('a program that starts others, under its own allow rule (attack 37)', () => {
  const PROGRAMS =
    'sed sort split ssh scp wget man zip gcc install npm make rsync printf read mapfile getopts declare let git curl less env'.split(
      ' ',
    );
  it.each([
    "sed '1e ./p' a",
    'sed -n 1e\\ ./p a',
    "sed 's/x/.p/e' a",
    "sed 's/x/y/w out' a",
    "sed -i 's/x/y/e' a",
    "sed --expr='1e ./p' a",
    'sed -f script a',
    "sed 'w out' a",
    'sort -o out a',
    'sort -uo out a',
    'sort --outp=out a',
    'sort --compress-prog=./p a',
    "split --filter='./p' a",
    'split --filt ./p a',
    'ssh -o ProxyCommand=./p h',
    'ssh -oProxyCommand=./p h',
    'ssh -o "LocalCommand ./p" -o PermitLocalCommand=yes h',
    'ssh -F ./config h',
    'scp -S ./p a h:',
    'scp -oProxyCommand=./p a h:',
    'wget --use-askpass=./p u',
    'wget --use-ask ./p u',
    'wget --config=./c u',
    'man -P ./p ls',
    'man --pager=./p ls',
    'man -H./p ls',
    'zip -T -TT ./p o a',
    'zip o a -TT ./p',
    'gcc -wrapper ./p a.c',
    'gcc -B . a.c',
    'gcc -fplugin=./p.so a.c',
    'install -s --strip-program=./p a b',
    'install --strip-pro ./p -s a b',
    'npm --script-shell=./p test',
    'npm test --script-shell ./p',
    'rsync -e ./p a h:',
    'rsync --rsh=./p a h:',
    'rsync --rsync-path=./p a h:',
    'curl -K ./c',
    'curl --config ./c',
    'MAKEFILES=./m make',
    'WGETRC=./c wget u',
    'DOCKER_CONFIG=. npm test',
    'printf -v PATH %s .; git status',
    'printf -vPATH .; git status',
    'read PATH <<< .; git status',
    'read -r a PATH <<< "x ."; git status',
    'mapfile -t PATH <<< .; git status',
    'getopts a: PATH; git status',
    'declare PATH=.; git status',
    'declare -n r=PATH; r=.; git status',
    'let PATH=1; git status',
    'for PATH in .; do git status; done',
    'select PATH in .; do git status; break; done',
    'echo ${PATH:=.}; git status',
  ])('asks: %j', async (command) =>
    expect(await shell(await using(prefixRules('allow', PROGRAMS)), command)).toBe(PolicyDecision.ASK_USER),
  );
});

describe('a pattern that happens to contain the letters of an option (attack 43)', () => {
  const rule = (pattern: string) =>
    `[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = ${JSON.stringify(pattern)}\ndecision = "allow"\npriority = 100\n`;
  it.each([
    ['git .*(--cached|status)', 'git -c alias.z=!./p z --cached'],
    ['git .*cherry-pick', 'git -c alias.cherry-pick=!./p cherry-pick'],
    ['git (--no-pager )?.*', 'git -c core.pager=./p log'],
    ['git .*--count', 'git -c alias.z=!./p z --count'],
    ['git .*-changes', 'git -c alias.z=!./p z -changes'],
    ['find .*-delete-later', 'find . -delete -name -delete-later'],
    ['find .*-executable', 'find . -executable -exec ./p {} ;'],
    ['find .*-okay', 'find . -ok ./p {} ; -okay'],
    ['tar .*-Include', 'tar -I ./p -cf o a -Include'],
    ['rg .*--pretty', 'rg --pre ./p --pretty'],
    ['find .*alarm', 'find . -delete -name alarm'],
    ['git .*form-data', 'git -c alias.z=!./p z form-data'],
    ['git (?!-c).*', 'git log -c; git --config-env=a.b=C log'],
  ])('does not cover that option: %j, %j', async (pattern, command) =>
    expect(await shell(await using(rule(pattern)), command)).toBe(PolicyDecision.ASK_USER),
  );
});

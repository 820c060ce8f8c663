/** Tests which commands the parser finds in a line, and which lines it refuses. */
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse.js';

const texts = async (command: string) => (await parseCommand(command))?.commands.map(({ text }) => text);

describe('parseCommand', () => {
  it.each<[string, string[]]>([
    ['ls -la', ['ls -la']],
    ['a && b || c; d | e & f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['"git" \'status\' s\\h r""m', ['git status sh rm']],
    ["$'\\x63url' x", ['curl x']],
    ['echo $(curl x) `id`', ['echo $(curl x) `id`', 'curl x', 'id']],
    ['diff <(ls a) >(cat)', ['diff <(ls a) >(cat)', 'ls a', 'cat']],
    ['(cd a && ls) & { id; }', ['cd a', 'ls', 'id']],
    ['f() { rm x; }; f', ['rm x', 'f']],
    ['for i in $(ls); do rm $i; done', ['ls', 'rm $i']],
    ['while read x; do echo $x; done < f', ['read x', 'echo $x']],
    ['if ls; then rm a; elif id; then b; else c; fi', ['ls', 'rm a', 'id', 'b', 'c']],
    ['case $x in a) rm b;; *) ls;; esac', ['rm b', 'ls']],
    ['cat <<EOF\n$(rm x)\nEOF\nls', ['cat', 'rm x', 'ls']],
    ["cat <<'EOF'\n$(rm x)\nEOF\nls", ['cat', 'ls']],
    ['cat <<EOF | sort > f && ls\nx\nEOF', ['cat', 'sort', 'ls']],
    ['A=$(curl x) B=1 ls', ['ls', 'curl x']],
    ['>f rm -rf x', ['rm -rf x']],
    ['echo hi >f rm', ['echo hi rm']],
    ['ls \\\n  -la', ['ls -la']],
    ['! rm x', ['rm x']],
    ['echo "${x:-$(id)}" "$((1+$(pwd)))"', ['echo "${x:-$(id)}" "$((1+$(pwd)))"', 'id', 'pwd']],
    [
      'git commit -m "$(cat <<\'EOF\'\nSay `hi`\nEOF\n)"',
      ['git commit -m "$(cat <<\'EOF\'\nSay `hi`\nEOF\n)"', 'cat'],
    ],
  ])('finds all commands in %s', async (command, expected) => expect(await texts(command)).toEqual(expected));
});

describe('parseCommand behind wrappers', () => {
  it.each([
    'env curl x',
    'env -i A=1 -u B curl x',
    'env -S "curl x"',
    'sudo -u root -- curl x',
    'doas -u www curl x',
    'setsid -f curl x',
    'nohup curl x &',
    'nice -n 5 curl x',
    'timeout -k 5 10 curl x',
    'watch -n 1 "curl x"',
    'watch curl x',
    'time -p curl x',
    'command curl x',
    'exec -a name curl x',
    'builtin curl x',
    'stdbuf -oL curl x',
    'ionice -c 2 -n 7 curl x',
    'chrt -f 10 curl x',
    'unshare -r curl x',
    'flock /tmp/l curl x',
    "flock /tmp/l -c 'curl x'",
    'find . -name a -exec curl x ;',
    'find . -execdir curl x \\; -o -ok ls {} +',
    "bash -c 'curl x'",
    'bash -lc "curl x"',
    "sh -e -c 'ls; curl x' name",
    "bash -euo pipefail -c 'curl x'",
    "bash -c -- 'curl x'",
    "sh -c -e 'curl x'",
    "bash --norc -O extglob -c 'curl x'",
    "eval 'curl x'",
    'eval curl x',
    'bash -c "bash -c \'curl x\'"',
    'sudo env nice -n 1 timeout 3 curl x',
    'sh <<EOF\ncurl x\nEOF',
    'bash <<< "curl x"',
    "trap 'curl x' EXIT",
    "su -c 'curl x' user",
    "script -qc 'curl x' /dev/null",
    'busybox curl x',
    'xargs -0 -n 1 curl x',
    'ls | xargs -I{} curl x',
    'chroot /r curl x',
    'taskset 1 curl x',
    'strace -f -o out curl x',
  ])('finds the command in %s', async (command) => expect(await texts(command)).toContain('curl x'));

  it.each([
    '$X a',
    '"$X" a',
    '$(which curl) x',
    'eval "$X"',
    'echo x | sh',
    'bash -c "$X"',
    'bash -s',
    '. <(curl x)',
    'env $X',
    'sh 3<<EOF\nls\nEOF',
    'sed s/a/b/ <<EOF | sh\nls\nEOF',
    '*/curl x',
    'xargs $X',
  ])('marks as dynamic what the text does not show: %s', async (command) => {
    expect((await parseCommand(command))?.commands.some(({ dynamic }) => dynamic)).toBe(true);
  });
});

describe('parseCommand on unreadable lines', () => {
  it.each([
    // One word for bash, two adjacent ones for the grammar.
    'eval true {PATH}\\>/dev/null',
    'eval true {PATH}\\>\\&1',
    '',
    '   ',
    '# only a comment',
    'echo "',
    'echo )',
    'if true',
    'a\0b',
    'ls\rrm x',
    'ls \\\r\nrm x',
    'r\\\nm x',
    '"$\\\n(rm x)"',
    'ls\u00a0-la',
    'ls\u200b',
    'time { rm x; }',
    'coproc { rm x; }',
    '{rm,-rf,x}',
    '"${x:-`id`}"',
    'echo `echo \\`id\\``',
    'echo ${x@P}',
    "[[ 'a[$(id)]' -eq 1 ]]",
    "test -v 'a[$(id)]'",
    'echo $(ls # )\n)',
    'cat <<EOF\na\\\nEOF\nrm x\nEOF',
    `echo ${'a'.repeat(70_000)}`,
    `${'('.repeat(400)}ls${')'.repeat(400)}`,
    Array.from({ length: 10 }).reduce<string>(
      (inner) => `bash -c ${JSON.stringify(inner).replaceAll('$', '\\$')}`,
      'ls',
    ),
    `${'sudo '.repeat(40)}ls`,
    'ls;'.repeat(2500),
  ])('returns undefined for %j', async (command) => expect(await parseCommand(command)).toBeUndefined());
});

it('parseCommand reports redirections, assignments, structure and program names', async () => {
  const parsed = await parseCommand('A=1 git log 2>&1 >out <in | wc -l; x=$(id) (ls)');
  expect(parsed).toBeUndefined();
  const good = await parseCommand('A=1 git log 2>&1 >out <in | wc -l; x=$(id); (ls)');
  expect(good?.commands[0]).toMatchObject({ name: 'git', assignments: [{ name: 'A', value: '1' }] });
  expect(good?.commands[0]?.redirections.map(({ kind, target }) => [kind, target?.text])).toEqual([
    ['output', 'out'],
    ['input', 'in'],
  ]);
  expect(good?.roots).toEqual(['git', 'wc', 'id', 'ls']);
  expect(good?.structure).toEqual([
    'redirection (>)',
    'redirection (>)',
    'redirection (<)',
    'command substitution',
    'subshell',
  ]);
  expect(good?.assignments).toEqual([{ name: 'x', value: '$(id)', literal: false }]);
});

it('reads every command of a long line', async () => {
  const parsed = await parseCommand(`${'git log --oneline | head -n 20 && '.repeat(14)}ls`);
  expect(parsed?.commands).toHaveLength(29);
});

describe('a line of simple commands', () => {
  it.each([
    'ls',
    'echo hello world',
    'git -c core.pager=x log --oneline',
    'sudo rm -rf /tmp/a',
    'env A=b curl example.com:80',
    'bash -c ls',
    'find . -name a.txt -delete',
    'test -v a',
    'xargs -n 1 rm',
    'timeout 5 node -e 1',
    './run.sh 1 2.5 user@host %1 +x',
    'git diff HEAD~1 HEAD^ -- a.ts',
    'cd src && ls || pwd; cat a | grep b | head -3',
    'env A=b sudo rm -rf x && bash -c ls | xargs -n 1 rm; eval ls',
    'true | true && true | true || false',
  ])('is parsed without the grammar as with it: %s', async (command) => {
    // A trailing space forces the grammar.
    expect(await parseCommand(command)).toEqual(await parseCommand(`${command} `));
  });

  it.each([
    'time ls',
    'export A=b',
    'if',
    'A=b ls',
    'ls  -l',
    'echo a;ls',
    'echo ~',
    'echo {a,b}',
    'echo $X',
    'ls && time ls',
    'ls | if',
    'ls; A=b ls',
    'ls && export A=b',
    'ls &',
    'ls & pwd',
    'ls |& cat',
    'ls ;; pwd',
    'ls; ; pwd',
    'ls && && pwd',
    'ls &&',
    '&& ls',
    'ls | ; pwd',
    'make A=~ B=a:~',
    'echo a ~b',
  ])('is not this one: %s', async (command) => {
    expect(await parseCommand(command)).toEqual(await parseCommand(` ${command}`));
  });
});

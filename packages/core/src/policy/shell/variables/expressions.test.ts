/** Tests arithmetic, tests and quotes that evaluate or translate text from a file or another command. */
import { afterAll, describe, expect, it } from 'vitest';
import { PolicyDecision } from '../../../protocol/confirmation.js';
import { policyLab, shell } from '../../policy-lab.test-helper.js';

const { engine, folder } = policyLab();
afterAll(() => folder.cleanup());

describe('a line that evaluates a value again, or depends on the locale', () => {
  it.each([
    'echo PATH=10; echo $(( $_ )); ls',
    "true 'a[$(./planted)]'; [[ _ -eq 1 ]]",
    `true 'a[$(./p)]' && test -v "$_"`,
    "echo $(( $(echo PATHx10 | tr x '\\075') )); git status",
    '(( $(cat a.txt) ))',
    'a[$(cat a.txt)]=1',
    'a=([$(cat a.txt)]=1)',
    'echo $(( $(cat a.txt) ))',
    'echo $[ $(cat a.txt) ]',
    '[[ $(cat a.txt) -eq 1 ]]',
    '[ -v "$(cat a.txt)" ]',
    'test -v "$(cat a.txt)"',
    "echo ${x:='a[$(./planted)]'} $((x))",
    "bash -c 'echo $(( $0 )); ls' 'PATH=10'",
    `bash -c 'test -v "$1"' x 'a[$(./planted)]'`,
    "bash -c '[[ $0 -eq 1 ]]; ls' PATH=10",
    'echo $"hello"',
    'cat $"a.txt"',
    'x=CDPATH+; x+=+; echo $((x)); cd src; cat a',
    "cat $'..\\0a/b'/secret.txt",
    "cat $'\\x{2e}./secret.txt'",
    "cat $'\\xc3\\xa9'",
    '[ $(cat a.txt) = y ]',
    '[ "$(cat a)" "$(cat b)" ]',
    'test "$(cat a)" "$(cat b)"',
    'test $x = y',
    'let "x=$(cat a)"',
    'let x=y',
    'declare -i x; x=$(cat a)',
    'echo ${a:$(cat b)}',
    'x=$(cat a); echo ${y:x}',
    'echo ${!x}',
    'readarray a < a.txt; echo $((a))',
    'read x < a.txt; (( x ))',
    '[[ a -eq $x ]]',
    'for x in $(cat a); do echo $((x)); done',
    'x=5; x=$(cat a); echo $((x))',
    '[[ -v "$(cat a)" ]]',
    '[[ -v x[0] ]]',
    'echo $((a[0]))',
    "echo $(('a'))",
    'echo $((`cat a`))',
  ])('asks: %j', async (command) => {
    expect(await shell(await engine(), command)).toBe(PolicyDecision.ASK_USER);
  });
});

describe('plain arithmetic or a plain test', () => {
  it.each([
    'echo $((1+2))',
    'x=5; echo $((x+1))',
    'for i in 1 2 3; do echo $((i*2)); done',
    'for ((i=0;i<3;i++)); do echo $i; done',
    '[ -f a.txt ] && echo yes',
    '[ "$x" = y ] && ls',
    '[ -z "$x" ]',
    '[ $? -eq 0 ] && ls',
    '[[ $x == y* ]] && ls',
    '[[ -f a.txt && -d src ]]',
    'echo ${#x}',
    'echo ${x:-y}',
    "echo $'a\\tb'",
    "grep $'\\t' a.txt",
    'i=0; ((i++)); echo $i',
    '[[ $# -eq 0 ]] && ls',
    'echo ${a[0]}',
    'if [ "$(ls | wc -l)" -eq 0 ]; then echo none; fi',
    'echo "exit: $?"',
    '[[ 3 -gt 2 ]] && ls',
  ])('runs unasked: %j', async (command) => {
    expect(await shell(await engine(), command)).toBe(PolicyDecision.ALLOW);
  });
});

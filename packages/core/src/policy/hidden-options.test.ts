/** An option that starts programs is found under an allow rule even in an expansion or an abbreviation. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';

const { folder, home, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, ASK_USER } = PolicyDecision;
const allowing = () =>
  withRules(
    prefixRules('allow', ['git', 'tar', 'npm', 'sort', 'echo', 'printf', 'shuf', 'iconv', 'jobs', 'set']),
  );

describe('a command under an allow rule', () => {
  it.each([
    'git fetch {--upload-pack=./p,.}',
    'tar cf o {-I./p,a}',
    'tar cf o {a,--use-compress-program=./p}',
    'git fetch ${x:---upload-pack=./p} .',
    'git fetch "${x:=--upload-pack=./p}" .',
    'x=--upload-pack=./p; git fetch $x .',
    'x="-q --upload-pack=./p"; git fetch $x .',
    'for x in -I./p; do tar cf o $x a; done',
    'git fetch $(echo --upload-pack=./p) .',
    'git fetch `printf %s --upload-p=./p` .',
    'sort $(echo -o) x',
    'npm exe ./p',
    'npm creat x',
    'npm explo x -- ./p',
    'npm run env -- ./p',
    'npm install $x',
    'git merge-index ./p -a',
    'git merge-index -o -q ./p a',
    'shuf -o ../x a',
    'shuf -eo ../x a',
    'shuf --outp ../x a',
    'iconv --output=../x a',
    'iconv -co../x a',
    'jobs -x ./p',
    'set -k',
    'set -ek',
    'set -o keyword',
  ])('asks if an expansion or abbreviation may start a program: %j', async (command) =>
    expect(await shell(await allowing(), command)).toBe(ASK_USER),
  );

  it.each([
    'git add "$f"',
    'x=main; git push origin $x',
    'git commit -m "$m"',
    'git commit -m "$(echo fixed)"',
    'git diff HEAD -- $f',
    'x=src; tar czf o.tgz $x',
    'git log ${x:-HEAD}',
    'git log --since={a,b}',
    'npm run build',
    'npm ci',
    'npm run env',
    'npm install "$x"',
    'shuf -n 1 a',
    'iconv -f latin1 -t utf-8 a',
    'jobs -l',
    'set -euo pipefail',
  ])('is allowed without such an option: %j', async (command) =>
    expect(await shell(await allowing(), command)).toBe(ALLOW),
  );
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
/** An option that starts programs is seen under an allow rule, too, where an expansion or an abbreviation holds it. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';

const { folder, home, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, ASK_USER } = PolicyDecision;
const allowing = () => withRules(prefixRules('allow', ['git', 'tar', 'npm', 'sort', 'echo', 'printf']));

describe('asks', () => {
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
  ])('%j', async (command) => expect(await shell(await allowing(), command)).toBe(ASK_USER));
});

describe('does not ask', () => {
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
    'npm install $x',
  ])('%j', async (command) => expect(await shell(await allowing(), command)).toBe(ALLOW));
});

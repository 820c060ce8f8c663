/** A denied command inside a word, in the input or in a script of a program that starts others is not allowed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';

const { folder, home, project, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW } = PolicyDecision;
const denying = () => withRules(prefixRules('deny', ['curl'], 500), { approvalMode: ApprovalMode.YOLO });

beforeAll(() => {
  mkdirSync(join(project, 'scripts'));
  writeFileSync(join(project, 'scripts', 'build.sh'), 'ls\n');
  writeFileSync(join(project, 'curl'), 'ls\n');
});

describe('a denied command inside a word, the input or a script', () => {
  it.each([
    'newgrp <<< "curl x"',
    'newgrp root <<< "curl x"',
    'newgrp - root <<< "curl x"',
    'echo "curl x" | newgrp',
    'cd /dev && bash stdin <<< "curl x"',
    'cd /dev/fd && bash 0 <<< "curl x"',
    'cd /proc/self/fd && sh 0 <<< "curl x"',
    'pushd /dev; . ./stdin <<< "curl x"',
    'env -C /dev bash stdin <<< "curl x"',
    '. -- /dev/stdin <<< "curl x"',
    'cat > new.sh <<< "$x"; bash new.sh',
    'cd "$x" && bash scripts/build.sh',
    'sh curl',
    'bash ./curl',
    'coproc A=b curl x',
    "compgen -W '$(curl x)'",
    'compgen -W \'$(cu""rl x)\'',
    "sed 's/.*/curl x/e' a",
    "sed 's/a/curl/e' a",
    "perl -pe 's/x/`curl`/e' a",
    `python3 -c 'import subprocess as s; s.run(["curl"])'`,
    `groovy -e '"curl x".execute()'`,
    "gs -c '(%pipe%curl) (w) file'",
    "gdb -ex '!curl' a",
    'make --eval "a:;curl x"',
    'git grep -Ocurl one',
    'tar cIf curl x a',
    "ed <<< '!curl x'",
    "sqlite3 x <<< '.shell curl x'",
    "python3 - <<'E'\nimport os\nos.system('curl x')\nE",
    'python3 - <<E\nimport os\nos.system("curl $x")\nE',
    "make -f - <<< 'a:;curl x'",
    "sed -f - a <<< '1e curl x'",
    "psql <<< '\\! curl x'",
    "crontab <<< '* * * * * curl x'",
    'echo ".shell curl x" | sqlite3 x',
    "cat <<'E' | python3\nimport os; os.system('curl x')\nE",
    '{ node; } <<< \'require("child_process").execSync("curl")\'',
    "A='!curl x' git --config-env=alias.x=A x",
    `ed ${'a '.repeat(6_000)}`,
  ])('does not run: %j', async (command) => expect(await shell(await denying(), command)).not.toBe(ALLOW));
});

describe('the name of a denied command that is not started', () => {
  it.each([
    'bash scripts/build.sh',
    'cd scripts && bash build.sh',
    'sh ./scripts/build.sh --curl-free',
    "bash <<< 'grep curl a'",
    'cat > notes.md <<E\nuse curl\nE',
    'git commit -F - <<E\nuse curl\nE',
    'echo "use curl" && npm test',
    'echo "use curl" | tee notes.md',
    'python3 docs/curl/a.py',
    "sed 's/curl/wget/' a",
    'python3 - <<E\nprint(1)\nE',
    'grep curl a | head -3',
  ])('does not stop the line in yolo mode: %j', async (command) =>
    expect(await shell(await denying(), command)).toBe(ALLOW),
  );
});

/** Tests options that start programs in rare spellings, and words of unknown value, under an allow rule. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';
import { isRiskyVariable } from './shell/variables/risky-variables.js';

const { folder, home, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, ASK_USER } = PolicyDecision;
const PROGRAMS =
  'git npm find zip ssh curl wget less gcc go cargo make tar docker sort rg cat echo date nproc read'.split(
    ' ',
  );
const allowing = () => withRules(prefixRules('allow', PROGRAMS));

describe('a command under an allow rule for its program', () => {
  it.each([
    'git bisect view gitx/p',
    'git bisect visualize ./p',
    'git rebase $(cat opts.txt) HEAD~1',
    'git rebase `cat opts.txt` HEAD~1',
    'git rebase "$(cat opts.txt)" HEAD~1',
    'git rebase -q "$(cat opts.txt)" HEAD~1',
    'git rebase -m "$(cat opts.txt)" HEAD~1',
    'git rebase HEAD$(cat opts.txt)',
    'git rebase $x HEAD~1',
    'x=$(cat opts.txt); git rebase $x HEAD~1',
    'x="$(cat opts.txt)"; git rebase "$x" HEAD~1',
    'x=--; git rebase ${x}exec=./p HEAD~1',
    'for x in $(cat opts.txt); do git rebase "$x" HEAD~1; done',
    'git rebase "--$(cat opts.txt)"',
    'x=xec=./p; git rebase "--e$x" HEAD~1',
    'git rebase "$x--exec=./p" HEAD~1',
    'x=; git rebase "$x--exec=./p" HEAD~1',
    'git rebase "$@"',
    'git rebase $1',
    'git "$(cat opts.txt)" add a',
    'git log --format=$(cat opts.txt)',
    'git --work-tree=$HOME checkout -f',
    'git --work-tree /x checkout -f',
    'git checkout-index --prefix=/x/ -a',
    'git fast-export --export-marks=/x HEAD',
    'git bundle create /x/y HEAD',
    'git bundle create ../y HEAD',
    'git bundle create $HOME/y HEAD',
    'git read-tree --index-output=/x HEAD',
    'git mailsplit -o/x a',
    'git submodule--helper foreach ./p',
    'git credential-store --file x store',
    "git config --comment user.name alias.x '!p'",
    "git config --type path alias.x '!p'",
    'git merge -s x main',
    'git merge -sx main',
    'git merge --strategy=x main',
    'git pull --strategy x',
    'git rebase -s x main',
    'npm ---script-shell=./p test',
    'npm -script-shell=./p test',
    'npm -node-options=--require=./p test',
    'npm --prefix . run env -- ./p',
    'npm -C . config set script-shell ./p',
    'npm --loglevel silent pkg set scripts.test=./p',
    'npm --loglevel silent --prefix . pkg set scripts.test=./p',
    'npm run --prefix . env -- ./p',
    'npm config --location project set script-shell=./p',
    'npm init',
    'npm --prefix . init x',
    'npm --init-module=./p init -y',
    'npm test $(cat opts.txt)',
    'find . $(cat opts.txt) ./p \\;',
    'find . -- $(cat opts.txt) ./p \\;',
    'find . "$(cat opts.txt)"',
    "ZIP='-TT ./p' zip o a",
    "zip -rTT './p #' o a",
    `ssh -o '"ProxyCommand"=x' h`,
    "ssh -o '=ProxyCommand=x' h",
    "ssh '-oProxyCommand x' h",
    'ssh -o"$(cat opts.txt)" h',
    "curl -w '%output{f}' https://a",
    'curl --write-out=@f https://a',
    'curl -sw @f https://a',
    'wget --warc-file=x https://a',
    'wget --save-cookies x https://a',
    'wget --hsts-file=x https://a',
    'wget --rejected-log=x https://a',
    'less --lesskey-content=x a',
    'less --lesskey-src=x a',
    'gcc -Wl,--plugin=./p.so a.c',
    'gcc -Wl,-O1,-plugin,./p.so a.c',
    'gcc -Xlinker -plugin -Xlinker ./p.so a.c',
    'go env -w CC=./p',
    'go tool ./p',
    'go generate ./...',
    'go run ./p',
    "go build -ldflags '-extld=./p'",
    'cargo rustc -- -C linker=./p',
    'cargo rustc -- -Clinker=./p',
    'cargo --config x build',
    'make CC=./p',
    'make test LD_PRELOAD=./p',
    'tar xPf a',
    'tar -xPf a',
    'tar --absolute-names -xf a',
    'tar --index-file=/x -tvf a',
  ])('asks if it may start another program: %j', async (command) =>
    expect(await shell(await allowing(), command)).toBe(ASK_USER),
  );

  it.each([
    'npm test',
    'npm run build -- --watch',
    'npm install lodash',
    'npm ci --prefer-offline',
    'npm --prefix app run build',
    'npm init -y',
    'npm install "$x"',
    'git add .',
    'git add "$f"',
    'git commit -am "x"',
    'git commit -m "$MSG"',
    'git commit -m "$(date)"',
    'git checkout "$b"',
    'git push origin main',
    'git rebase main',
    'git merge -s ours main',
    'git cherry-pick -s abc',
    'n=5; git log -$n',
    'git log "$a..$b"',
    'npm run env',
    'git merge --no-ff -m "$MSG" main',
    'git log --oneline -5',
    'git log --since "$(date +%F)"',
    'git log "$x"',
    'git -C src status',
    'git -C "$x" status',
    'git diff HEAD -- $f',
    'git diff $(git rev-parse HEAD~1)',
    'git checkout -b x',
    'git stash',
    'git fetch --all',
    'git bundle create repo.bundle HEAD',
    'git config --type bool pull.rebase true',
    'make test V=1 -j4',
    'make -j$(nproc)',
    'docker compose up -d',
    "find . -name '*.ts'",
    'find . -name "$(cat name.txt)"',
    'find "$x" -name a',
    'tar xzf a.tgz -C out',
    'tar czf o.tgz "$HOME/x"',
    'sort -k "$(cat key.txt)" a',
    'curl "$URL"',
    'ssh -o ConnectTimeout=5 h',
    'go test ./...',
    'rg -n "$x" src',
  ])('is allowed otherwise: %j', async (command) =>
    expect(await shell(await allowing(), command)).toBe(ALLOW),
  );
});

describe('an alias or folder that may run a denied command', () => {
  it.each([
    "alias q='curl x'",
    'shopt -s expand_aliases\nalias q=curl\nq x',
    "alias -- q='sudo curl x'",
    'run-parts scripts',
    'x=cu; alias q=${x}rl',
  ])('does not run unasked in yolo mode: %j', async (command) => {
    const engine = await withRules(prefixRules('deny', ['curl'], 500), { approvalMode: ApprovalMode.YOLO });
    expect(await shell(engine, command)).not.toBe(ALLOW);
  });
});

it('isRiskyVariable knows the variables that choose programs and files', () => {
  const names =
    `TEXTDOMAIN TEXTDOMAINDIR LANGUAGE ZIP ZIPOPT UNZIP COMPOSE_FILE BUILDX_CONFIG GOCACHEPROG GOAUTH PKG_CONFIG FC
    RUSTDOC CCACHE_PREFIX DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES COVERAGE_PROCESS_START LESSKEYIN LESSKEY_CONTENT
    LESSHISTFILE TAPE`.split(/\s+/);
  expect(names.filter((name) => !isRiskyVariable(name))).toEqual([]);
  expect(['LANG', 'CI', 'DEBUG', 'V'].filter(isRiskyVariable)).toEqual([]);
});

/** Tests hidden assignments to PATH against a real bash. */
import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../../../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from '../../policy-lab.test-helper.js';
import { isRiskyVariable } from './risky-variables.js';

const { folder, home, engine, withRules } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, ASK_USER } = PolicyDecision;

/** Lines that change PATH; the test appends a command. */
const DISGUISES = [
  'true {PATH}>/dev/null',
  'true {PATH}</dev/null',
  'true {PATH}<&0',
  'true {PATH}>&1',
  'true {PATH}>>/dev/null',
  'true {PATH}>|/dev/null',
  'true {PATH}<>/dev/null',
  'true {PATH}<<<x',
  'true {PATH}<<E\nx\nE',
  'true {PA\\\nTH}>/dev/null',
  'true {PATH}\\\n>/dev/null',
  'true {PATH[0]}>/dev/null',
  'true {x[PATH=1]}>/dev/null',
  'exec {PATH}>/dev/null',
  'if true {PATH}>/dev/null; then true; fi',
  '{ true {PATH}>/dev/null; }',
  '{PATH}>/dev/null true',
  '{ true; } {PATH}>/dev/null',
  'printf -v PATH %s .',
  'printf -vPATH %s .',
  "printf -v 'PATH' .",
  'printf -v PA""TH .',
  'builtin printf -v PATH .',
  'command printf -v PATH .',
  'x=-vPATH; printf $x .',
  'n=PATH; printf -v "$n" .',
  'read PATH <<< .',
  'read -r PATH <<< .',
  'read -ra PATH <<< .',
  'read -d "" -p x PATH <<< .',
  'IFS= read -r x PATH <<< "a ."',
  'n=PATH; read "$n" <<< .',
  'mapfile PATH <<< .',
  'mapfile -t -n 1 PATH <<< .',
  'readarray -t PATH <<< .',
  'getopts a PATH',
  'declare "PATH=."',
  "export 'PATH=.'",
  'export PA""TH=.',
  'command export PATH=.',
  "builtin declare 'PATH=.'",
  'typeset -x PATH=.',
  'readonly PATH=.',
  'declare -n x=PATH; x=.',
  'declare -n x="PATH"; x=.',
  "declare -i x; x='PATH=1'",
  'n=PATH; declare "$n=."',
  'let PATH=1',
  'let "PATH = 1"',
  'unset PA""TH',
  'PATH=1; let PATH++',
  'select PATH in a; do break; done <<< 1',
  'for PATH in .; do true; done',
  'coproc PATH { true; }',
  'unset PATH',
  'unset -v PATH',
  'n=PATH; unset $n',
  '((PATH=1))',
  'unset PATH; echo ${PATH:=.}',
  'unset PATH; echo ${PATH=.}',
  '[[ -v x[PATH=1] ]]',
  'sleep 0 & wait -n -p PATH',
];

describe('a line that sets PATH without looking like it', () => {
  it.each(DISGUISES)('changes it in a real bash, and asks before a known-safe command: %j', async (line) => {
    const before = '/usr/bin:/bin';
    const script = `${line}\nbuiltin echo "now=$PATH"`;
    const { stdout } = spawnSync('/bin/bash', ['-c', script], { env: { PATH: before }, encoding: 'utf8' });
    expect(stdout).toContain('now=');
    expect(stdout).not.toContain(`now=${before}\n`);
    for (const command of [`${line}\ngit status`, `(${line}\ngit status)`, `echo $(${line}\nls)`])
      expect([command, await shell(await engine(), command)]).toEqual([command, ASK_USER]);
  });

  it.each(DISGUISES)(
    'asks under allow rules, and in yolo mode if a rule denies commands: %j',
    async (line) => {
      const starters = [
        'true',
        'printf',
        'read',
        'export',
        'declare',
        'let',
        'unset',
        'sleep',
        'wait',
        'exec',
      ];
      const rules = prefixRules('allow', [
        ...starters,
        'mapfile',
        'readarray',
        'getopts',
        'typeset',
        'readonly',
        'npm',
      ]);
      expect(await shell(await withRules(rules), `${line}\nnpm test`)).toBe(ASK_USER);
      const yolo = { approvalMode: ApprovalMode.YOLO };
      const denied = await withRules(prefixRules('deny', ['curl'], 500), yolo);
      expect(await shell(denied, `${line}\nnpm test`)).toBe(ASK_USER);
    },
  );
});

it.each([
  'true x{PATH} >/dev/null; ls',
  'echo {PATH} ; ls',
  'echo ${PATH} >/dev/null; ls',
  'true {fd}>/dev/null; ls',
  'export A=b; echo $((1+1)); ls',
  'export A="b c"; ls',
  'echo "{x}" && ls src',
  'cat a | grep b | head -3',
  'cd src && ls',
])('a harmless assignment runs unasked: %j', async (command) =>
  expect(await shell(await engine(), command)).toBe(ALLOW),
);

it.each([
  "printf '%s\\n' a",
  'printf "%s $x" a',
  'read -r line < f; npm test',
  'while read -r line; do npm test; done < f',
  'mapfile -t lines < f; npm test',
  'printf -v out %s x; npm test',
  'unset FOO; npm test',
  'local x=1; npm test',
  'NODE_ENV=test npm test',
  'unset -f ls; npm test',
])('a harmless builtin runs in yolo mode although a rule denies commands: %j', async (command) => {
  const yolo = await withRules(prefixRules('deny', ['curl'], 500), { approvalMode: ApprovalMode.YOLO });
  expect(await shell(yolo, command)).toBe(ALLOW);
});

it.each([
  'shopt -s expand_aliases',
  'set -k',
  'set -o posix',
  'enable -n echo',
  'alias ls=./x',
  'hash -p ./x ls',
  'ls() { ./x; }',
  'function git { ./x; }',
  'BASH_ALIASES[ls]=./x',
  'BASH_CMDS[ls]=./x',
])('a line that redefines commands asks before a known-safe command: %j', async (line) =>
  expect(await shell(await engine(), `${line}; ls`)).toBe(ASK_USER),
);

it.each(
  `MAKEFILES MAKEFLAGS WGETRC CURL_HOME DOCKER_CONFIG DOCKER_HOST KUBECONFIG npm_config_script_shell PSQLRC TAR_OPTIONS
  GREP_OPTIONS ZIPOPT RSYNC_RSH CVS_RSH CDPATH GLOBIGNORE EXECIGNORE OLDPWD PWD HISTFILE LESS MANOPT
  RIPGREP_CONFIG_PATH FPATH OPENSSL_CONF JAVA_TOOL_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS R_PROFILE PYTHONSTARTUP
  BASH_ENV ENV PS4 SHELLOPTS BASHOPTS POSIXLY_CORRECT IFS HOME PATH LD_AUDIT GIT_EXTERNAL_DIFF SQLITE_HISTORY
  SYSTEMD_EDITOR OCTAVE_SITE_INITFILE CARGO_BUILD_RUSTC GOFLAGS DOTNET_STARTUP_HOOKS PERL5OPT https_proxy`.split(
    /\s+/,
  ),
)('isRiskyVariable is true for %s', (name) => expect(isRiskyVariable(name)).toBe(true));

it.each(
  'FOO CI LANG LC_ALL DEBUG PORT NO_COLOR NODE_ENV SRC RUST_LOG TERM TZ USER out line GITHUB_TOKEN MANIFEST NODES'.split(
    ' ',
  ),
)('isRiskyVariable is false for %s', (name) => expect(isRiskyVariable(name)).toBe(false));

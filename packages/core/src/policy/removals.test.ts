// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
/** Removals of what cannot be restored are asked for in yolo mode, however the path is written. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, shell } from './policy-lab.test-helper.js';

const { folder, home, project, engine } = policyLab();
afterAll(() => folder.cleanup());
vi.stubEnv('GEMINI_CLI_HOME', home);
const { ALLOW, ASK_USER } = PolicyDecision;
const yolo = () => engine({ approvalMode: ApprovalMode.YOLO });

beforeAll(() => {
  mkdirSync(join(project, '.git', 'objects'));
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(project, 'build', 'objects'), { recursive: true });
  writeFileSync(join(project, '.git', 'objects', 'a'), 'x');
  symlinkSync('.git/objects', join(project, 'store'));
  symlinkSync(home, join(project, 'user'));
});

describe('is asked for', () => {
  it.each([
    'bash -c "rm -rf $HOME"',
    'sh -c "rm -rf ${HOME}/*"',
    `sh -c "rm -rf '$PWD/.git'"`,
    'sudo bash -c "cd $HOME && rm -rf ."',
    'eval "rm -rf $HOME"',
    'eval rm -rf $HOME',
    'bash <<< "rm -rf $HOME"',
    'bash <<EOF\nrm -rf $HOME\nEOF',
    'watch "rm -rf $HOME"',
    'su -c "rm -rf $HOME"',
    'rm -rf ~+/.git',
    'rm -rf ~+',
    'rm -rf ~-/x',
    'rm -rf ~root/x',
    'rm -rf .g?t/*',
    'rm -rf .gi*/*',
    'rm -rf .[g]it/HEAD',
    'rm -rf .g*/objects/*',
    'shopt -s dotglob; rm -rf .g?t/*',
    'mv .g?t/* q',
    'rm -rf us?r/*',
    'find us*/ -delete',
    'rm -rf us?r/../project',
    'rm -rf .git/objects/*',
    'rm -rf store/../objects/pack',
    'rm -rf {$HOME,x}',
    'rm -rf {${HOME},x}',
    'rm -rf {${PWD}/.git,x}',
    'rm -rf {`pwd`/.git,x}',
    'rm -rf {$(pwd)/.git,x}',
    'rm -rf .gi{t..t}',
    'rm -rf .g\\it{,}',
    'rm -rf .{git,x}/*',
    'rm -rf /proc/self/cwd/.git/',
    'for x in {.git,y}; do rm -rf $x; done',
    'for x in build .git; do rm -rf "$x"; done',
    'for x in .g?t; do rm -rf $x/*; done',
    'cd .g?t && rm -rf objects',
    'cd .g?t; rm -rf ../.git',
    'cd "$x" && rm -rf .git',
    "find . -name '*' -delete",
    'find . ! -name x -delete',
    'find . -name x -o -delete',
    'find ~ -maxdepth 1 -exec rm -rf {} +',
    'find . -user root -delete',
    'find . -name .git -exec rm -rf {} +',
    "find . -maxdepth 1 -name '.g*' -exec rm -rf {} +",
    "find . -path './.git/*' -delete",
    'read x <<< .git; rm -rf $x',
    'while read -r d; do rm -rf "$d"; done <<< .git',
    'a=(.git); rm -rf "${a[@]}"',
    'a=(build .git); rm -rf ${a[1]}',
    'grm -rf .git',
    'gfind . -delete',
    'rsync -a --del empty/ .git',
    'chmod --recurs 000 .git',
    'rimraf .git',
  ])('%j', async (command) => expect(await shell(await yolo(), command)).toBe(ASK_USER));
});

describe('everyday removals run', () => {
  it.each([
    'rm -rf build',
    'bash -c "rm -rf $PWD/build"',
    'bash -c "npm run $TASK"',
    'bash -c "if [ $A = 1 ]; then"',
    'eval "$(ssh-agent)"',
    'rm -rf build/*',
    'rm -rf ./build/{a,b}',
    'rm -rf build{1..3}',
    'rm -rf packages/*/dist',
    'rm -rf src/*/objects',
    'rm -rf **/dist',
    'rm -rf */*.log',
    'a=(build dist); rm -rf "${a[@]}"',
    'find . -name .gitkeep -delete',
    'rm -f .git/index.lock',
    'cd build && rm -rf objects',
    'cd "$x" && rm -rf build',
    'for x in build dist; do rm -rf $x; done',
    "find . -name '*.o' -delete",
    "find . -name '*.pyc' -o -name '*.pyo' -delete",
    'find . -type d -name __pycache__ -exec rm -r {} +',
    'find . -type f -empty -delete',
    'find build -delete',
    'find . -mtime +7 -delete',
    'mv build dist',
    'chmod -R u+w build',
  ])('%j', async (command) => expect(await shell(await yolo(), command)).toBe(ALLOW));
});

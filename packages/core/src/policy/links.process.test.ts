/** Tests links and protected names with the engine: redirections in auto_edit mode, removals in yolo mode. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { policyLab, shell } from './policy-lab.test-helper.js';

const { folder, home, project, engine } = policyLab();
afterAll(() => folder.cleanup());
const { ALLOW, ASK_USER } = PolicyDecision;
const name = 'home';

beforeAll(() => {
  mkdirSync(join(project, '.git/hooks'));
  mkdirSync(join(project, '.git/objects'));
  mkdirSync(join(folder.path, 'other/place'), { recursive: true });
  mkdirSync(join(home, 'outside/deep'), { recursive: true });
  mkdirSync(join(project, 'node_modules/p'), { recursive: true });
  symlinkSync(join(folder.path, 'other'), join(project, 'lo'));
  symlinkSync('.git/hooks', join(project, 'hk'));
  symlinkSync(join(home, 'outside/deep'), join(project, 'out'));
  symlinkSync('node_modules/p', join(project, 'pkg'));
  symlinkSync('src', join(project, 'inner'));
  execFileSync('git', ['init', '-q', '--bare', 'bare'], { cwd: project });
  writeFileSync(join(project, 'a.txt'), '');
});

describe('a redirection in auto_edit mode', () => {
  it.each([
    'out/../.bashrc',
    'out/../../.bashrc',
    'out/x',
    'hk/../config',
    'hk/post-checkout',
    '.git/config',
    'src/nested/.git/hooks/pre-commit',
    '.GIT/config',
    'node_modules/p/i.js',
    'pkg/i.js',
    'src/node_modules/x.js',
    '.vscode/tasks.json',
    'src/../.vscode/tasks.json',
    '.envrc',
    '.env',
    '.env.local',
    'src/.env.production',
    '.gemini/settings.json',
    'missing/../a.txt',
    '../x',
    '~/.bashrc',
    'bare/config',
    'bare/hooks/x',
    '/proc/self/cwd/x',
  ])('into %s asks', async (target) => {
    const made = await engine({ approvalMode: ApprovalMode.AUTO_EDIT });
    expect(await shell(made, `echo x > ${target}`)).toBe(ASK_USER);
    expect(await shell(made, `echo x >> "${target.replace('~', home)}"`)).toBe(ASK_USER);
  });

  it.each([
    'cd out/..; echo x > f',
    'cd hk; echo x > ../config',
    'cd -P out/..; echo x > f',
    'cat < out/../x',
    'cat < .envrc',
  ])('into another folder asks: %s', async (command) => {
    expect(await shell(await engine({ approvalMode: ApprovalMode.AUTO_EDIT }), command)).toBe(ASK_USER);
  });

  it.each(['rev <<< "$API_KEY"', 'cat <<E\n$API_KEY\nE'])(
    'asks if a variable is shown: %j',
    async (command) => {
      expect(await shell(await engine({ approvalMode: ApprovalMode.AUTO_EDIT }), command)).toBe(ASK_USER);
    },
  );

  it.each([
    'echo x > a.txt',
    'echo x >> src/new.ts',
    'echo x > inner/new.ts',
    'echo x > inner/../a.txt',
    'cat > src/b.ts <<E\n$USER\nE',
    'cd src && echo x > c.ts',
    'cat < a.txt',
    'ls src 2>/dev/null > list.txt',
  ])('into an ordinary file is allowed: %s', async (command) => {
    expect(await shell(await engine({ approvalMode: ApprovalMode.AUTO_EDIT }), command)).toBe(ALLOW);
  });
});

describe('a removal in yolo mode', () => {
  it.each([
    `rm -rf lo/../${name}`,
    `rm -rf ./lo/..//${name}/`,
    `rm -rf lo/place/../../${name}`,
    `find lo/../${name} -delete`,
    `find lo/../${name} -exec rm -rf {} +`,
    `mv lo/../${name} /tmp/x`,
    `chmod -R 777 lo/../${name}`,
    `chown -R nobody lo/../${name}`,
    `rsync -a --delete src/ lo/../${name}/`,
    `rsync -a --delete src/ lo/../${name}`,
    'cd hk; rm -rf ../objects',
    'cd hk && rm -rf ../../.git',
    'cd -P hk/.. && rm -rf objects',
    'rm -rf hk/../objects',
    'rm -rf hk/..',
    'rm -rf hk/../*',
    'mv hk/../objects /tmp/x',
    'find hk/.. -delete',
    `cd lo/.. && rm -rf ${name}`,
    `cd lo; rm -rf ../${name}`,
    `(cd lo; cd -P ..; rm -rf ${name})`,
    `env -C lo rm -rf ../${name}`,
    `env --chdir=lo rm -rf ../${name}`,
    `cd lo; rm -rf "$PWD"/../${name}`,
    'rm -rf /proc/self/cwd',
    'ln -s .git/hooks h2; rm -rf h2/../x',
    'rm -rf inner/../.git',
    'rm -rf inner/..',
    'cd inner; rm -rf ../.git',
  ])('asks if the target cannot be restored: %s', async (command) => {
    expect(await shell(await engine({ approvalMode: ApprovalMode.YOLO }), command)).toBe(ASK_USER);
  });

  it.each([
    'rm -rf inner/../dist',
    'mkdir -p build && cd build && cmake .. && rm -rf ../dist',
    'cd src && ls && cd .. && rm -rf dist',
    'rm -rf lo/place/x',
    'rm -rf node_modules/.cache',
    'mv src/a src/b',
    'rm -rf "$PWD"/dist',
  ])('is allowed elsewhere: %s', async (command) => {
    expect(await shell(await engine({ approvalMode: ApprovalMode.YOLO }), command)).toBe(ALLOW);
  });
});

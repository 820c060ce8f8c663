import { describe, expect, it } from 'vitest';
import { parseList, walk } from './ancestors.js';
import { detectEditor, isInEditor } from './detect.js';

describe('the editor of a terminal', () => {
  it.each([
    [{ TERM_PROGRAM: 'vscode' }, 'vscode'],
    [{ TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: '1' }, 'cursor'],
    [{ TERM_PROGRAM: 'vscode', ANTIGRAVITY_CLI_ALIAS: 'agy', CURSOR_TRACE_ID: '1' }, 'antigravity'],
    [{ TERM_PROGRAM: 'vscode', __COG_BASHRC_SOURCED: '1' }, 'devin'],
    [{ TERM_PROGRAM: 'vscode', REPLIT_USER: 'me' }, 'replit'],
    [{ TERM_PROGRAM: 'vscode', CODESPACES: 'true' }, 'codespaces'],
    [{ TERM_PROGRAM: 'vscode', CLOUD_SHELL: 'true' }, 'cloudshell'],
    [{ TERM_PROGRAM: 'vscode', EDITOR_IN_CLOUD_SHELL: 'true' }, 'cloudshell'],
    [{ TERM_PROGRAM: 'vscode', TERM_PRODUCT: 'Trae' }, 'trae'],
    [{ TERM_PROGRAM: 'vscode', MONOSPACE_ENV: 'true' }, 'firebasestudio'],
    [{ TERM_PROGRAM: 'vscode', POSITRON: '1' }, 'positron'],
    [{ TERM_PROGRAM: 'sublime' }, 'sublimetext'],
    [{ ZED_SESSION_ID: '1' }, 'zed'],
    [{ TERM_PROGRAM: 'Zed' }, 'zed'],
    [{ TERM_PROGRAM: 'zed' }, 'zed'],
    [{ XCODE_VERSION_ACTUAL: '1600' }, 'xcode'],
    [{ TERMINAL_EMULATOR: 'JetBrains-JediTerm' }, 'jetbrains'],
  ])('%j is %s', (env, name) => {
    expect([isInEditor(env), detectEditor(env, () => undefined).name]).toEqual([true, name]);
  });

  it.each([
    ['/usr/share/code/code --no-sandbox', 'vscode'],
    ['/opt/other-editor/other', 'vscodefork'],
  ])('with the process %s is %s', (command, name) => {
    expect(detectEditor({ TERM_PROGRAM: 'vscode' }, () => command).name).toBe(name);
  });

  it.each([
    ['/opt/idea/bin/idea', 'intellijidea'],
    ['/Applications/WebStorm.app/Contents/MacOS/webstorm', 'webstorm'],
    ['/opt/pycharm/bin/pycharm.sh', 'pycharm'],
    ['goland64.exe', 'goland'],
    ['/Applications/Android Studio.app/Contents/MacOS/studio', 'androidstudio'],
    ['/opt/clion/bin/clion', 'clion'],
    ['/opt/rustrover/bin/rustrover', 'rustrover'],
    ['/opt/datagrip/bin/datagrip', 'datagrip'],
    ['/opt/phpstorm/bin/phpstorm', 'phpstorm'],
    ['/opt/pycharm/jbr/bin/java -Didea.vendor.name=JetBrains', 'pycharm'],
    ['/opt/unknown', 'jetbrains'],
  ])('of JetBrains with the process %s is %s', (command, name) => {
    expect(detectEditor({ TERMINAL_EMULATOR: 'JetBrains-JediTerm' }, () => command).name).toBe(name);
  });

  it.each([{}, { TERM_PROGRAM: 'Apple_Terminal' }, { CURSOR_TRACE_ID: '1' }])('%j has none', (env) => {
    expect(isInEditor(env)).toBe(false);
  });
});

describe('the processes above this one', () => {
  const list = parseList('  10 1 /usr/bin/code --x\n 20 10 bash\nrubbish\n 30 20\n');

  it('are listed from the nearest to the farthest', () => {
    expect(walk(30, (pid) => list.get(pid))).toEqual([
      { pid: 30, command: '' },
      { pid: 20, command: 'bash' },
      { pid: 10, command: '/usr/bin/code --x' },
    ]);
  });

  it('are at most 32, and a circle ends', () => {
    const endless = (pid: number) => ({ pid, parent: pid + 1, command: '' });
    expect(walk(2, endless)).toHaveLength(32);
    expect(walk(2, (pid) => ({ pid, parent: pid === 2 ? 3 : 2, command: '' }))).toHaveLength(2);
  });
});

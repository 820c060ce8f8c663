/** Which editor this is: many run the extensions of VS Code. */

export interface EditorInfo {
  name: string;
  displayName: string;
}

type Environment = Record<string, string | undefined>;

/** Cloud editors that come with the extension: their users did not install it. */
const MANAGED = new Set(['cloudshell', 'firebasestudio']);

const BY_VARIABLE: [(env: Environment) => unknown, EditorInfo][] = [
  [(env) => env['ANTIGRAVITY_CLI_ALIAS'], { name: 'antigravity', displayName: 'Antigravity' }],
  [(env) => env['__COG_BASHRC_SOURCED'], { name: 'devin', displayName: 'Devin' }],
  [(env) => env['REPLIT_USER'], { name: 'replit', displayName: 'Replit' }],
  [(env) => env['CURSOR_TRACE_ID'], { name: 'cursor', displayName: 'Cursor' }],
  [(env) => env['CODESPACES'], { name: 'codespaces', displayName: 'GitHub Codespaces' }],
  [
    (env) => env['EDITOR_IN_CLOUD_SHELL'] || env['CLOUD_SHELL'],
    { name: 'cloudshell', displayName: 'Cloud Shell' },
  ],
  [(env) => env['TERM_PRODUCT'] === 'Trae', { name: 'trae', displayName: 'Trae' }],
  [(env) => env['MONOSPACE_ENV'], { name: 'firebasestudio', displayName: 'Firebase Studio' }],
  [(env) => env['POSITRON'] === '1', { name: 'positron', displayName: 'Positron' }],
];

/** @param appName what the editor calls itself */
export function editorInfo(env: Environment, appName: string): EditorInfo {
  const found = BY_VARIABLE.find(([matches]) => matches(env));
  if (found) return found[1];
  if (/visual studio code/i.test(appName) || appName === '')
    return { name: 'vscode', displayName: 'VS Code' };
  return { name: 'vscodefork', displayName: appName };
}

export function isManaged(editor: EditorInfo): boolean {
  return MANAGED.has(editor.name);
}

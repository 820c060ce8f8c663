/** What a session knows of the machine and the user around it. The only file of core that reads it from the process. */
import { userInfo } from 'node:os';
import { join, parse } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
  /** With those of the project's `.env` file, where it counts. */
  readonly variables: Variables;
  readonly cwd: string;
  /** The user's home directory. */
  readonly home: string;
}

/**
 * The environment this process was started with.
 * @throws when the working directory does not exist any more
 */
export function processEnvironment(): Environment {
  return environmentOf(processVariables(), process.cwd());
}

/** A copy: the caller may add to it. */
export function processVariables(): NodeJS.ProcessEnv {
  return oneSpelling({ ...process.env });
}

export function environmentOf(variables: Variables, cwd: string): Environment {
  return { variables, cwd, home: homeOf(variables) };
}

/** For what belongs to the process or the machine, and to none of its projects. */
export function inheritedVariable(name: string): string | undefined {
  return process.env[name];
}

export function homeOf(variables: Variables): string {
  return variables[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homeOfAccount();
}

/** The folder in which `.gemini` lies. */
export function geminiHome(variables: Variables): string {
  return variables['GEMINI_CLI_HOME'] || homeOf(variables);
}

/** Where short-lived files go; the same as `os.tmpdir()` for these variables. */
export function temporaryDirectory(variables: Variables): string {
  const { TMPDIR, TMP, TEMP } = variables;
  if (process.platform === 'win32') {
    return TEMP || TMP || join(variables['SystemRoot'] || variables['windir'] || 'C:\\Windows', 'temp');
  }
  const path = TMPDIR || TMP || TEMP || '/tmp';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** A user without an account entry, as in some containers, has no home; the root directory stands for it. */
function homeOfAccount(): string {
  try {
    return userInfo().homedir;
  } catch {
    return parse(process.execPath).root;
  }
}

/** Windows finds a variable in any spelling, a copy does not; the one that we ask for is mostly spelled `Path`. */
function oneSpelling(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (process.platform !== 'win32') return variables;
  const spelled = Object.keys(variables).find((name) => name !== 'PATH' && name.toUpperCase() === 'PATH');
  if (spelled === undefined) return variables;
  const { [spelled]: path, ...others } = variables;
  return { ...others, PATH: path };
}

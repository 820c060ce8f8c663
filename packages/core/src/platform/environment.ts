/** Environment of a session: variables, working directory and home. The only file of core that reads `process.env`. */
import { userInfo } from 'node:os';
import { join, parse } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
  /** Includes the project's `.env` file if the folder is trusted. */
  readonly variables: Variables;
  /** Names of the variables that come from the project's `.env` file, not from the user. */
  readonly fromProject?: readonly string[];
  readonly cwd: string;
  /** The user's home directory. */
  readonly home: string;
  /** `general.proxy`, for our own requests only: commands never get it. Proxy variables win over it. */
  readonly proxy?: string;
}

/** What decides through which proxy a request goes. */
export type ProxySource = Pick<Environment, 'variables' | 'proxy'>;

/**
 * The environment this process was started with.
 * @throws when the working directory no longer exists
 */
export function processEnvironment(): Environment {
  return environmentOf(processVariables(), process.cwd());
}

/** A copy: the caller may add to it. */
export function processVariables(): NodeJS.ProcessEnv {
  return withUpperCasePath({ ...process.env });
}

export function environmentOf(variables: Variables, cwd: string, proxy?: string): Environment {
  return { variables, cwd, home: homeOf(variables), ...(proxy && { proxy }) };
}

/** Without those of the project's `.env` file: it must not choose where the user's keys and records are sent. */
export function ownVariables({
  variables,
  fromProject = [],
}: Pick<Environment, 'variables' | 'fromProject'>): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !fromProject.includes(name)));
}

/** For variables of the process or the machine, not of a project. */
export function inheritedVariable(name: string): string | undefined {
  return process.env[name];
}

export function homeOf(variables: Variables): string {
  return variables[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homeOfAccount();
}

/** The folder that contains `.gemini`. */
export function geminiHome(variables: Variables): string {
  return variables['GEMINI_CLI_HOME'] || homeOf(variables);
}

/** The same as `os.tmpdir()`, for these variables. */
export function temporaryDirectory(variables: Variables): string {
  const { TMPDIR, TMP, TEMP } = variables;
  if (process.platform === 'win32') {
    return TEMP || TMP || join(variables['SystemRoot'] || variables['windir'] || 'C:\\Windows', 'temp');
  }
  const path = TMPDIR || TMP || TEMP || '/tmp';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** A user without an account, as in some containers, has no home; the root directory is used instead. */
function homeOfAccount(): string {
  try {
    return userInfo().homedir;
  } catch {
    return parse(process.execPath).root;
  }
}

/** On Windows variables are case-insensitive, but a copied object is not; PATH is mostly spelled `Path` there. */
function withUpperCasePath(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (process.platform !== 'win32') return variables;
  const spelled = Object.keys(variables).find((name) => name !== 'PATH' && name.toUpperCase() === 'PATH');
  if (spelled === undefined) return variables;
  const { [spelled]: path, ...others } = variables;
  return { ...others, PATH: path };
}

/** Where a companion can be reached: by the files that companions write, then by variables, then as a program on stdio. */
import { join } from 'node:path';
import { temporaryDirectory, type Variables } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import type { Ancestor } from '../detection/ancestors.js';
import { detectEditor, editorNamed, isInEditor } from '../detection/detect.js';
import { overAcp, SUPPORTED_NAMES } from '../detection/editors.js';
import type { IdeInfo } from '../types.js';
import { type IgnoredFile, portOf, readServerFiles, type ServerFile } from './server-file.js';
import { workspaceProblem } from './workspace.js';

export type IdeServer = { readonly ide: IdeInfo } & (
  | { readonly kind: 'http'; readonly port: number; readonly token: string | undefined }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
);

export interface FoundServers {
  /** In the order to try; empty: see `problem`. */
  servers: readonly IdeServer[];
  /** The editor of this terminal, or the one whose companion was found; undefined: there is none. */
  ide: IdeInfo | undefined;
  /** Why there is no server: a sentence for the user. */
  problem: string;
}

export interface Machine {
  env: Variables;
  cwd: string;
  /** Undefined where files have no such owner (Windows). */
  userId: number | undefined;
  /** In a container the editor's process may be outside, where it cannot be seen. */
  seesEditor: boolean;
  isAlive(pid: number): boolean;
  ancestors(): Promise<readonly Ancestor[]>;
}

/** In a container the files of ended editors cannot be told from others. */
const MAX_TRIED = 5;

export const NOT_SUPPORTED = `This terminal is not in a supported editor. Supported: ${SUPPORTED_NAMES}.`;

const log = createLog('ide');

export async function findServers(machine: Machine): Promise<FoundServers> {
  const { env, cwd } = machine;
  const { files, ignored } = readableFiles(machine);
  const editorPid = Number(env['GEMINI_CLI_IDE_PID']) || undefined;
  const isHere = isInEditor(env);
  // Which processes are above this one is read only where the answer depends on it.
  const parents = files.length > 1 || (isHere && files.length === 0) ? await machine.ancestors() : [];
  const pids = editorPid ? [editorPid] : parents.map(({ pid }) => pid);
  const ordered = [...files].sort(
    (a, b) => rank(b, pids, machine) - rank(a, pids, machine) || b.writtenAt - a.writtenAt,
  );
  const first = ordered.find(({ ide }) => ide)?.ide;
  const here = isHere
    ? detectEditor(env, () => parents.find(({ pid }) => pid === editorPid)?.command ?? editorCommand(parents))
    : undefined;
  const inWorkspace = ordered.filter((file) => !problemOf(file, cwd, here));
  const wantedPort = portOf(env['GEMINI_CLI_IDE_SERVER_PORT']);
  const best = inWorkspace.filter((file) => isBest(file, inWorkspace, pids));
  // The others are tried when it does not answer: a window that was killed leaves its file.
  const chosen = best.find(({ port }) => port === wantedPort);
  const inOrder = chosen ? [chosen, ...best.filter((file) => file !== chosen)] : best;
  const servers = [
    ...inOrder.slice(0, MAX_TRIED).map((file) => fromFile(file, here)),
    ...fromVariables(env, cwd, here ?? first),
    ...fromStdio(env, here ?? first),
  ];
  const ide = servers[0]?.ide ?? here ?? first;
  const [foreign] = ordered;
  return {
    servers,
    ide,
    problem: foreign
      ? (problemOf(foreign, cwd, here) ?? '')
      : (problemOfVariables(env, cwd, ide) ?? (ide ? notFound(ide, ignored) : NOT_SUPPORTED)),
  };
}

function notFound({ name, displayName }: IdeInfo, [ignored]: readonly IgnoredFile[]): string {
  const why = ignored ? ` ${ignored.path} is ignored: ${ignored.why.replace(/\.?$/, '.')}` : '';
  return editorNamed(name)?.installers
    ? `The companion extension in ${displayName} was not found.${why} Install it with /ide install.`
    : `No companion was found in ${displayName}.${why} ${overAcp(name)}`;
}

/** Those of processes that have ended are left over. */
function readableFiles({ env, userId, seesEditor, isAlive }: Machine): ReturnType<typeof readServerFiles> {
  const directory = join(temporaryDirectory(env), 'gemini', 'ide');
  const { files, ignored } = readServerFiles(directory, userId);
  for (const { path, why } of ignored) log.debug(`${path} is ignored: ${why}`);
  return { files: seesEditor ? files.filter(({ pid }) => isAlive(pid)) : files, ignored };
}

/** The editor of this terminal before others, those that run before those that may have ended. */
function rank({ pid }: ServerFile, pids: readonly number[], { isAlive }: Machine): number {
  return (pids.includes(pid) ? 2 : 0) + (isAlive(pid) ? 1 : 0);
}

/** One window among several of this terminal's editor; without such, any. */
function isBest(file: ServerFile, all: readonly ServerFile[], pids: readonly number[]): boolean {
  return pids.includes(file.pid) || !all.some(({ pid }) => pids.includes(pid));
}

function problemOf({ workspacePath, ide }: ServerFile, cwd: string, here: IdeInfo | undefined) {
  return workspaceProblem(cwd, workspacePath, (ide ?? here ?? UNKNOWN).displayName);
}

function fromFile({ port, token, ide }: ServerFile, here: IdeInfo | undefined): IdeServer {
  return { kind: 'http', port, token, ide: ide ?? here ?? UNKNOWN };
}

function fromVariables(env: Variables, cwd: string, ide: IdeInfo = UNKNOWN): IdeServer[] {
  const port = portOf(env['GEMINI_CLI_IDE_SERVER_PORT']);
  if (port === undefined || problemOfVariables(env, cwd, ide)) return [];
  return [{ kind: 'http', port, token: env['GEMINI_CLI_IDE_AUTH_TOKEN'] || undefined, ide }];
}

function problemOfVariables(env: Variables, cwd: string, ide: IdeInfo = UNKNOWN): string | undefined {
  if (portOf(env['GEMINI_CLI_IDE_SERVER_PORT']) === undefined) return undefined;
  return workspaceProblem(cwd, env['GEMINI_CLI_IDE_WORKSPACE_PATH'], ide.displayName);
}

function fromStdio(env: Variables, ide: IdeInfo = UNKNOWN): IdeServer[] {
  const command = env['GEMINI_CLI_IDE_SERVER_STDIO_COMMAND'];
  if (!command) return [];
  return [{ kind: 'stdio', command, args: argumentsIn(env['GEMINI_CLI_IDE_SERVER_STDIO_ARGS']), ide }];
}

function argumentsIn(text: string | undefined): string[] {
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  } catch {
    // Reported below.
  }
  log.warn('GEMINI_CLI_IDE_SERVER_STDIO_ARGS is not a JSON array of texts; no arguments are used.');
  return [];
}

/** The outermost program above this one: shells and terminals are inside the editor. */
function editorCommand(parents: readonly Ancestor[]): string | undefined {
  const commands = parents.map(({ command }) => command).filter((command) => command !== '');
  return commands.length === 0 ? undefined : commands.join(' ');
}

const UNKNOWN: IdeInfo = { name: 'ide', displayName: 'your editor' };

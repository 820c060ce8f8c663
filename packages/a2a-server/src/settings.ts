/** What the command line and the environment say about the server. */

import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { FatalConfigError, FatalInputError, type Variables } from '@gemini-cli/core';
import { addressProblem } from '@gemini-cli/core/server';
import type { ServerLimits } from './http/limits.js';

export type Role = 'all' | 'api' | 'worker';

export type StoreChoice =
  | { kind: 'memory' }
  | { kind: 'folder'; folder: string }
  | { kind: 'cloud'; bucket: string }
  | { kind: 'database'; url: string };

export interface ServerSettings {
  role: Role;
  labels: string[];
  host: string;
  port: number;
  publicUrl?: string;
  /** Tasks may work below it only; also the folder of commands. */
  workspace?: string;
  store: StoreChoice;
  credentials: { token?: string; basic?: string };
  limits: Partial<ServerLimits>;
  drainMs: number;
  logLevel: string | undefined;
}

/** @throws FatalInputError, FatalConfigError */
export function readSettings(args: readonly string[], env: Variables, cwd: string): ServerSettings {
  const flags = readFlags(args);
  const host = text(env, 'CODER_AGENT_HOST') ?? 'localhost';
  const token = text(env, 'CODER_AGENT_AUTH_TOKEN');
  const basic = text(env, 'CODER_AGENT_BASIC_AUTH');
  if (basic !== undefined && !basic.includes(':'))
    throw new FatalConfigError('CODER_AGENT_BASIC_AUTH has the form user:password.');
  if (!isLoopback(host) && token === undefined && basic === undefined)
    throw new FatalConfigError(
      `CODER_AGENT_HOST is ${host}: other machines could use this server. Set CODER_AGENT_AUTH_TOKEN or CODER_AGENT_BASIC_AUTH.`,
    );
  const store = storeOf(env, cwd);
  if (flags.role !== 'all' && store.kind !== 'database')
    throw new FatalInputError(`--role ${flags.role} needs a database: set CODER_AGENT_DATABASE_URL.`);
  const workspace = workspaceOf(env);
  const publicUrl = publicUrlOf(env);
  return {
    ...flags,
    host,
    port: flags.port ?? number(env, 'CODER_AGENT_PORT', 0, 65_535) ?? 0,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(workspace !== undefined && { workspace }),
    store,
    credentials: { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) },
    limits: limitsOf(env),
    drainMs: (number(env, 'CODER_AGENT_DRAIN_SECONDS', 0, 3_600) ?? 10) * 1_000,
    logLevel: env['DEBUG'] === 'true' || env['DEBUG'] === '1' ? 'debug' : text(env, 'LOG_LEVEL'),
  };
}

const ROLES: readonly string[] = ['all', 'api', 'worker'];

function readFlags(args: readonly string[]): { role: Role; labels: string[]; port?: number } {
  let role: Role = 'all';
  let labels: string[] = [];
  let port: number | undefined;
  const words = args.flatMap((word) => (word.startsWith('--') ? splitFlag(word) : [word]));
  for (let index = 0; index < words.length; index += 2) {
    const [flag, value] = [words[index], words[index + 1]];
    if (flag === '--role' && isRole(value)) role = value;
    else if (flag === '--role') throw new FatalInputError('--role is all, api or worker.');
    else if (flag === '--labels' && value)
      labels = value
        .split(',')
        .map((label) => label.trim())
        .filter(Boolean);
    else if (flag === '--port' && value && /^\d{1,5}$/.test(value)) port = Number(value);
    else
      throw new FatalInputError(`${flag} is not a flag of the A2A server, or lacks its value. See --help.`);
  }
  return { role, labels, ...(port !== undefined && { port }) };
}

function splitFlag(word: string): string[] {
  const at = word.indexOf('=');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function isRole(value: string | undefined): value is Role {
  return value !== undefined && ROLES.includes(value);
}

const STORES = ['CODER_AGENT_DATABASE_URL', 'CODER_AGENT_TASK_DIR', 'GCS_BUCKET_NAME'];

function storeOf(env: Variables, cwd: string): StoreChoice {
  const set = STORES.filter((name) => text(env, name) !== undefined);
  if (set.length > 1)
    throw new FatalConfigError(`Set only one of ${set.join(', ')}: tasks are kept in one place.`);
  const [url, folder, bucket] = STORES.map((name) => text(env, name));
  if (url !== undefined) return { kind: 'database', url };
  if (folder !== undefined)
    return { kind: 'folder', folder: isAbsolute(folder) ? folder : resolve(cwd, folder) };
  if (bucket !== undefined) return { kind: 'cloud', bucket };
  return { kind: 'memory' };
}

function workspaceOf(env: Variables): string | undefined {
  const path = text(env, 'CODER_AGENT_WORKSPACE_PATH');
  if (path === undefined) return undefined;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new FatalConfigError(`CODER_AGENT_WORKSPACE_PATH is ${path}, which is not a folder.`);
  return resolve(path);
}

function publicUrlOf(env: Variables): string | undefined {
  const url = text(env, 'CODER_AGENT_PUBLIC_URL');
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new FatalConfigError('CODER_AGENT_PUBLIC_URL is the http or https address that clients use.');
  return url.endsWith('/') ? url : `${url}/`;
}

function limitsOf(env: Variables): Partial<ServerLimits> {
  const bodyMb = number(env, 'CODER_AGENT_MAX_BODY_MB', 1, 1_024);
  const streams = number(env, 'CODER_AGENT_MAX_STREAMS', 1, 1_000_000);
  const clients = number(env, 'CODER_AGENT_MAX_CLIENTS', 1, 1_000_000);
  const runningTasks = number(env, 'CODER_AGENT_MAX_RUNNING', 1, 100_000);
  const tasks = number(env, 'CODER_AGENT_MAX_TASKS', 1, 1_000_000_000);
  return {
    ...(bodyMb !== undefined && { bodyBytes: bodyMb * 1024 * 1024 }),
    ...(streams !== undefined && { streams }),
    ...(clients !== undefined && { clients }),
    ...(runningTasks !== undefined && { runningTasks }),
    ...(tasks !== undefined && { tasks }),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && addressProblem(host) === 'loopback');
}

function text(env: Variables, name: string): string | undefined {
  const value = env[name]?.trim();
  return value ? value : undefined;
}

function number(env: Variables, name: string, least: number, most: number): number | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const result = Number(value);
  if (!Number.isInteger(result) || result < least || result > most)
    throw new FatalConfigError(`${name} is a whole number from ${least} to ${most}.`);
  return result;
}

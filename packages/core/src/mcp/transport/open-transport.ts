/** The ways to reach a server, in the order they are tried. */
import { isAbsolute, resolve } from 'node:path';
import type { Environment } from '../../platform/environment.js';
import { type RightsLoader, rightsLoader } from '../../platform/sandbox/rights/create-rights.js';
import { safeVariables } from '../../platform/sandbox/rights/rights-environment.js';
import type { ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import type { AuthProviderPort } from '../auth-port.js';
import { type ResolvedServer, transportKindOf } from '../config.js';
import type { OpenTransport } from '../mcp-client.js';
import {
  type EnvironmentLists,
  headerProblem,
  serverEnvironment,
  serverHeaders,
  withVariables,
} from '../servers/environment.js';
import { StdioTransport } from './stdio.js';

export interface TransportParts {
  environment: Environment;
  /** The project root: relative folders of servers start there. */
  targetDir: string;
  redaction: () => EnvironmentLists;
  /** Undefined while commands are not sandboxed. */
  sandbox: () => ToolSandbox | undefined;
  /** Undefined: servers get only the configured headers. */
  auth: () => AuthProviderPort | undefined;
  /** For servers of extensions that declare rights; default: that of this platform. */
  rights?: RightsLoader;
  /** Tells the user what such a server was refused. */
  notice?: (message: string) => void;
}

type Opener = () => OpenTransport | Promise<OpenTransport>;

export function transportsOf(written: ResolvedServer, parts: TransportParts): Opener[] {
  const { environment, redaction } = parts;
  const server = withVariables(written, environment.variables, redaction());
  const { config } = server;
  const kind = transportKindOf(config);
  if (kind === 'stdio') {
    if (server.extension?.capabilities) return [() => restrictedStdio(server, parts)];
    return [() => stdio(server, parts)];
  }
  const headers = () => serverHeaders(server, environment.variables, redaction());
  if (kind === 'websocket') {
    return [
      async () => {
        const { WebSocketTransport } = await import('./websocket.js');
        const credentials = (await parts.auth()?.headers(server)) ?? {};
        return new WebSocketTransport({
          server,
          address: config.tcp ?? '',
          headers: () => ({ ...headers(), ...credentials }),
          proxies: environment,
        });
      },
    ];
  }
  const remote = (type: 'http' | 'sse') => async () => {
    const { openRemote } = await import('./remote.js');
    const problem = () => headerProblem(server, environment.variables, redaction());
    return openRemote(type, { server, headers, headerProblem: problem, environment, auth: parts.auth() });
  };
  if (kind === 'sse') return [remote('sse')];
  if (kind !== 'http') return [];
  const isCertain = Boolean(config.httpUrl) || config.type === 'http';
  return isCertain ? [remote('http')] : [remote('http'), remote('sse')];
}

function stdio(server: ResolvedServer, { environment, targetDir, redaction, sandbox }: TransportParts) {
  const { command = '', args = [], cwd } = server.config;
  const isolation = sandbox();
  return new StdioTransport({
    serverName: server.name,
    command,
    args: args.map(String),
    cwd: folderOf(cwd, targetDir, environment.home),
    env: serverEnvironment(server, environment.variables, redaction()),
    ...(isolation && { isolate: (invocation) => isolation.wrapProcess(invocation) }),
  });
}

/** With just the rights that the extension declares, whether or not commands are sandboxed. */
async function restrictedStdio(server: ResolvedServer, parts: TransportParts): Promise<StdioTransport> {
  const { environment, targetDir, redaction, notice = () => undefined } = parts;
  const { restrictedServer } = await import('./restricted-server.js');
  const { command = '', args = [], cwd } = server.config;
  return restrictedServer(
    server,
    {
      serverName: server.name,
      command,
      args: args.map(String),
      cwd: folderOf(cwd, targetDir, environment.home),
      env: serverEnvironment(server, safeVariables(environment.variables), redaction()),
    },
    {
      rights: parts.rights ?? rightsLoader({ variables: environment.variables }),
      home: environment.home,
      workspace: targetDir,
      notice,
    },
  );
}

function folderOf(cwd: string | undefined, targetDir: string, home: string): string {
  if (!cwd) return targetDir;
  const path = cwd.replace(/^~(?=$|[/\\])/, () => home);
  return isAbsolute(path) ? path : resolve(targetDir, path);
}

/** Credentials with a home of their own, and a user who signs in with a browser without a screen. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { systemClock } from '../../platform/clock.js';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { signInInBrowser } from '../../platform/oauth/oidc-server.test-helper.js';
import type { OAuthPrompts } from '../../platform/oauth/types.js';
import type { AuthServer } from './auth-server.js';
import { McpAuth, type McpAuthParts } from './mcp-auth.js';

export interface AuthRig {
  /** Another process: nothing but the files is shared. */
  open(rest?: { isHeadless?: boolean } & Partial<McpAuthParts>): McpAuth;
  notices: string[];
  secrets: string[];
  /** Addresses that the browser opened. */
  opened: string[];
  /** Questions and addresses that the user saw. */
  shown: string[];
  prompts: OAuthPrompts;
  env: Record<string, string>;
  /** Moves the clock, in milliseconds. */
  later: number;
  home: string;
  read(name: string): unknown;
  write(name: string, content: unknown): void;
  exists(name: string): boolean;
  modeOf(name: string): number;
  cleanup(): void;
}

export function authRig(): AuthRig {
  const dir = tempDir();
  const open: McpAuth[] = [];
  const file = (name: string) => join(dir.path, '.gemini', name);
  const rig: AuthRig = {
    notices: [],
    secrets: [],
    opened: [],
    shown: [],
    later: 0,
    home: dir.path,
    env: { HOME: dir.path, GEMINI_CLI_HOME: dir.path, GEMINI_FORCE_FILE_STORAGE: 'true' },
    prompts: {
      confirm: async (service, host) => {
        rig.shown.push(`${service} at ${host}`);
        return true;
      },
      showUrl: (_service, url) => rig.shown.push(url),
      openBrowser: async (url) => {
        rig.opened.push(url);
        void signInInBrowser(url);
        return true;
      },
      askCode: async () => undefined,
    },
    open: ({ isHeadless = false, ...rest } = {}) => {
      const auth = new McpAuth({
        environment: { variables: rig.env, cwd: dir.path, home: dir.path },
        clock: { ...systemClock, now: () => Date.now() + rig.later },
        prompts: () => (isHeadless ? undefined : rig.prompts),
        notify: (message) => rig.notices.push(message),
        onSecret: (secret) => rig.secrets.push(secret),
        ...rest,
      });
      open.push(auth);
      return auth;
    },
    read: (name) => JSON.parse(readFileSync(file(name), 'utf8')),
    write: (name, content) => {
      preparePrivateDirectory(join(dir.path, '.gemini'));
      writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content));
    },
    exists: (name) => existsSync(file(name)),
    modeOf: (name) => statSync(file(name)).mode & 0o777,
    cleanup() {
      for (const auth of open) auth.close();
      dir.cleanup();
    },
  };
  return rig;
}

export function serverAt(url: string, config: Partial<AuthServer['config']> = {}): AuthServer {
  return { name: 'notes', config: { httpUrl: url, ...config } };
}

/** As a transport does: after a refusal once more, if it is worth it. Returns the last status. */
export async function request(auth: McpAuth, server: AuthServer): Promise<number> {
  const send = async () => {
    const { headers, query = {} } = await auth.grant(server);
    const url = new URL(server.config.httpUrl ?? '');
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return fetch(url, { headers });
  };
  const first = await send();
  if (first.status !== 401 && first.status !== 403) return first.status;
  const isWorthIt = await auth.onUnauthorized(server, first.headers.get('www-authenticate') ?? undefined);
  return isWorthIt ? (await send()).status : first.status;
}

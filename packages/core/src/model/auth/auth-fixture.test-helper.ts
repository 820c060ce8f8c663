/** For tests: a home of its own, the loopback sign-in server, and a clock that moves when told. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse, type OAuthServer, type Page, startOAuthServer, tempDir } from '@gemini-cli/test-utils';
import { vi } from 'vitest';
import type { Clock } from '../../platform/clock.js';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import { AuthHttp } from '../../platform/net/auth-http.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import type { AuthContext, SignInPrompts } from './context.js';

class ScriptedClock implements Clock {
  private time = 1_700_000_000_000;
  private sleepers: { until: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      this.sleepers.push({ until: this.time + ms, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  advance(ms: number): void {
    this.time += ms;
    const due = this.sleepers.filter(({ until }) => until <= this.time);
    this.sleepers = this.sleepers.filter(({ until }) => until > this.time);
    for (const { wake } of due) wake();
  }
}

export interface AuthFixture {
  server: OAuthServer;
  clock: ScriptedClock;
  home: string;
  /** Secrets that were announced. */
  announced: string[];
  context: AuthContext;
  /** What the fake browser saw. */
  pages: Promise<Page>[];
  file(name: string): string;
  write(name: string, content: unknown): void;
  read(name: string): unknown;
  exists(name: string): boolean;
  modeOf(name: string): number;
  cleanup(): Promise<void>;
}

/** The environment is complete: nothing of the real one is seen, and there is no keychain. */
export async function authFixture(env: NodeJS.ProcessEnv = {}): Promise<AuthFixture> {
  const server = await startOAuthServer();
  const dir = tempDir();
  vi.stubEnv('GEMINI_CLI_HOME', dir.path);
  vi.stubEnv('HOME', dir.path);
  const clock = new ScriptedClock();
  const announced: string[] = [];
  const http = new AuthHttp(undefined, 500);
  const full: NodeJS.ProcessEnv = {
    GEMINI_FORCE_FILE_STORAGE: 'true',
    GEMINI_OAUTH_CLIENT_ID: server.client.clientId,
    GEMINI_OAUTH_CLIENT_SECRET: server.client.clientSecret,
    DISPLAY: ':0',
    GEMINI_CLI_HOME: dir.path,
    HOME: dir.path,
    ...env,
  };
  const file = (name: string) => join(dir.path, '.gemini', name);
  return {
    server,
    clock,
    home: dir.path,
    announced,
    pages: [],
    context: {
      env: full,
      endpoints: server.endpoints,
      http,
      clock,
      secrets: new SecretStore({ env: full }),
      onSecret: (secret) => announced.push(secret),
    },
    file,
    write(name, content) {
      preparePrivateDirectory(join(dir.path, '.gemini'));
      writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content));
    },
    read: (name) => JSON.parse(readFileSync(file(name), 'utf8')),
    exists: (name) => existsSync(file(name)),
    modeOf: (name) => statSync(file(name)).mode & 0o777,
    async cleanup() {
      http.close();
      await server.close();
      vi.unstubAllEnvs();
      dir.cleanup();
    },
  };
}

/** A user who agrees to everything and whose browser works. */
export function willingUser(fixture: AuthFixture, overrides: Partial<SignInPrompts> = {}): SignInPrompts {
  return {
    confirm: async () => true,
    showUrl: () => {},
    openBrowser: async (url) => {
      fixture.pages.push(browse(url));
      return true;
    },
    askCode: async (url) => (await browse(url)).text,
    warn: () => {},
    ...overrides,
  };
}

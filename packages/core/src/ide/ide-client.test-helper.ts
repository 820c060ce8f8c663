/** A client of an editor's companion, and that companion played by the test. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Companion, type CompanionOptions, startCompanion } from '@gemini-cli/test-utils/rig';
import { onTestFinished } from 'vitest';
import type { Machine } from './discovery/find-servers.js';
import { IdeClient } from './ide-client.js';

export interface Extra extends Partial<Machine> {
  /** The variables name the companion, too. */
  withAddress?: boolean;
  variables?: Record<string, string>;
  proxy?: string;
  wait?: (ms: number) => Promise<void>;
}

export async function editor(
  options: Partial<CompanionOptions> = {},
  { withAddress, variables, proxy, wait, ...machine }: Extra = {},
): Promise<{ client: IdeClient; companion: Companion; cwd: string; changes: string[] }> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-ide-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const companion = await startCompanion({ tmpdir: cwd, roots: [cwd], ...options });
  const env = {
    ...companion.env,
    ...(withAddress && companion.addressVariables),
    ...(proxy && { HTTP_PROXY: proxy, http_proxy: proxy }),
    ...variables,
  };
  const changes: string[] = [];
  const client: IdeClient = new IdeClient({
    environment: { variables: env, cwd, home: cwd, ...(proxy && { proxy }) },
    machine: {
      env,
      cwd,
      userId: process.getuid?.(),
      seesEditor: true,
      isAlive: (pid) => pid === process.pid,
      ancestors: async () => [],
      ...machine,
    },
    onChange: () => void changes.push(client.status.kind),
    wait: wait ?? (() => new Promise((resolve) => setImmediate(resolve))),
  });
  onTestFinished(() => client.disconnect());
  return { client, companion, cwd, changes };
}

export function reason({ status }: IdeClient): string {
  return (status.kind === 'disconnected' && status.reason) || '';
}

/** Answers with one value that does not end. */
export function endless(type: string): NonNullable<CompanionOptions['before']> {
  const piece = Buffer.alloc(2 ** 20, 'x');
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.write('data: ');
    const write = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', write);
    write();
    return true;
  };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** A real browser on pages of this machine, driven through the agent's tools. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeBus, tempDir } from '@gemini-cli/test-utils';
import type { BrowserContext } from 'playwright-core';
import { environmentOf } from '../../platform/environment.js';
import { noTelemetry } from '../../telemetry/record.js';
import type { ToolResult } from '../../tools/tools.js';
import type { AgentRunTools } from '../types.js';
import { BrowserSession } from './browser-session.js';
import type { BrowserAgentHost, BrowserAgentSettings } from './host.js';
import { browserTools, openBrowserTools } from './open-tools.js';

export const BROWSER_SETTINGS: BrowserAgentSettings = {
  sessionMode: 'isolated',
  headless: true,
  allowedDomains: ['localhost'],
  disableUserInput: true,
  maxActionsPerTask: 100,
  confirmSensitiveActions: false,
  blockFileUploads: false,
};

/** A host whose user has consented. */
export function browserHost(
  home: string,
  settings: Partial<BrowserAgentSettings> = {},
  more: Partial<BrowserAgentHost> = {},
): BrowserAgentHost {
  const globalDir = join(home, '.gemini');
  mkdirSync(join(globalDir, 'cli-browser-profile'), { recursive: true });
  writeFileSync(join(globalDir, 'cli-browser-profile/browser-consent-acknowledged.txt'), 'yes');
  const variables = { PATH: process.env['PATH'], HOME: home, GEMINI_API_KEY: 'secret' };
  return {
    settings: () => ({ ...BROWSER_SETTINGS, ...settings }),
    environment: environmentOf(variables, home),
    globalDir,
    sandbox: 'none',
    uploadPath: (path) => path,
    recorder: noTelemetry,
    now: Date.now,
    ...more,
  };
}

/** What a page of the test is; `requests` has what the browser asked for. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => string | undefined;

export interface PageServer {
  /** With the host name localhost. */
  url: string;
  requests: string[];
  close(): void;
}

export async function servePages(pages: Pages): Promise<PageServer> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host?.split(':')[0]}${request.url}`);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const body = pages(request, response);
    if (body !== undefined) response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The tools of one task, by name. */
export class BrowserTask {
  constructor(private readonly opened: AgentRunTools) {}

  static async open(host: BrowserAgentHost, signal = new AbortController().signal): Promise<BrowserTask> {
    return new BrowserTask(
      await openBrowserTools(host, { agentName: 'browser_agent', bus: makeBus(), signal }),
    );
  }

  tool(name: string) {
    const tool = this.opened.tools.find((entry) => entry.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool;
  }

  get toolNames(): string[] {
    return this.opened.tools.map(({ name }) => name);
  }

  call(name: string, params: object = {}, signal = new AbortController().signal): Promise<ToolResult> {
    return this.tool(name).build(params).execute(signal);
  }

  /** The text for the model. */
  async text(name: string, params: object = {}): Promise<string> {
    const { llmContent } = await this.call(name, params);
    return typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
  }

  /** The uid of the first element whose line matches, in a new snapshot. */
  async uid(line: RegExp): Promise<string> {
    const snapshot = await this.text('take_snapshot');
    const found = snapshot.split('\n').find((entry) => line.test(entry));
    const uid = /uid=(\S+)/.exec(found ?? '')?.[1];
    if (uid === undefined) throw new Error(`No line matches ${line}:\n${snapshot}`);
    return uid;
  }

  close(): Promise<void> {
    return this.opened.close();
  }
}

export { tempDir };

/** A task in a context that the test has made, so that one browser serves many. */
export async function taskIn(
  context: BrowserContext,
  host: BrowserAgentHost,
  isForeign = false,
): Promise<BrowserTask> {
  const session = new BrowserSession(context, host.settings(), isForeign);
  await session.open();
  const close = () => (isForeign ? session.close() : context.close());
  return new BrowserTask({ tools: browserTools(host, session, makeBus()), close });
}

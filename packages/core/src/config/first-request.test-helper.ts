/** The first request of a session as the server gets it: a real Config over an empty project, one prompt. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer, text } from '@gemini-cli/test-utils';
import { estimateTextTokens } from '../context/size/text-tokens.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { AnyDeclarativeTool } from '../tools/tools.js';
import { Config } from './config.js';

export interface FirstRequest {
  bytes: number;
  /** By our estimate. */
  tokens: number;
  /** Names of the declared tools. */
  declared: string[];
}

/** With every built-in tool, an empty GEMINI.md, and `tools` beside them. Cleans up after itself. */
export async function firstRequest({
  tools = [],
  interactive = true,
  approvalMode = ApprovalMode.YOLO,
}: {
  tools?: readonly AnyDeclarativeTool[];
  interactive?: boolean;
  approvalMode?: ApprovalMode;
} = {}): Promise<FirstRequest> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-first-')));
  const targetDir = join(root, 'project');
  mkdirSync(targetDir);
  writeFileSync(join(targetDir, 'GEMINI.md'), '');
  const server = await startModelServer();
  const restore = setEnvironment({
    GEMINI_CLI_HOME: join(root, 'home'),
    GEMINI_API_KEY: 'key',
    GOOGLE_GEMINI_BASE_URL: server.url,
  });
  // This model family is offered the most tools.
  const config = new Config({
    sessionId: 'first-request',
    targetDir,
    debugMode: false,
    model: 'gemini-2.5-flash',
    interactive,
    approvalMode,
  });
  try {
    await config.initialize();
    for (const tool of tools) config.getToolRegistry().registerTool(tool);
    server.replies([text('Hello.')]);
    for await (const _ of config.getSession().send('hello'));
    const { body, bytes } = server.lastRequest();
    const declared = body.tools?.flatMap(({ functionDeclarations = [] }) => functionDeclarations) ?? [];
    return {
      bytes,
      tokens: estimateTextTokens(JSON.stringify(body)),
      declared: declared.map(({ name }) => name),
    };
  } finally {
    await config.shutdown();
    restore();
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Config reads the process environment; returns a function that restores it. */
function setEnvironment(variables: Record<string, string>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

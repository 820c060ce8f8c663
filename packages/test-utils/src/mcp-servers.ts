/** MCP servers for tests: real ones from the registry, and one that can misbehave in every way. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN = join(dirname(fileURLToPath(import.meta.url)), '../mcp-servers');
const require = createRequire(import.meta.url);

export interface ServerCommand {
  command: string;
  args: string[];
}

/** `@modelcontextprotocol/server-<name>`, as a command. */
export function registryServer(
  name: 'everything' | 'filesystem' | 'memory',
  ...args: string[]
): ServerCommand {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...args] };
}

/** The example server of the founding documents. */
export function seedServer(): ServerCommand {
  return { command: process.execPath, args: [join(OWN, 'seed-server.mjs')] };
}

/** What the scripted server does; see `mcp-servers/scripted-server.mjs`. */
export interface ServerPlan {
  crashAt?: string;
  silentAt?: string;
  /** Gets a line for each stage and message. */
  log?: string;
  tools?: readonly object[];
  /** A JSON file with the tools, read for every list. */
  toolsFile?: string;
  /** The same, sent as it is. */
  rawToolsFile?: string;
  count?: number;
  pageSize?: number;
  endless?: boolean;
  twice?: boolean;
  garbage?: boolean;
  child?: boolean;
  daemon?: boolean;
  version?: string;
  instructions?: string;
  floodMs?: number;
  bytes?: number;
  wrong?: string;
  wrongResult?: unknown;
  wrongError?: { code: number; message: string };
  capabilities?: object;
  results?: Record<string, unknown>;
  /** The error of the first call of a tool; pages that it names are completed at once. */
  refusesFirst?: Record<string, { code: number; message: string; data?: unknown }>;
  /** Gets the variables that the server was started with, as JSON. */
  environmentFile?: string;
  ignoresSignals?: boolean;
  /** Prints lines that are not messages, without end. */
  noise?: boolean;
  /** What the server asks for after the handshake; the answers are in `log`. */
  requests?: readonly { method: string; params: object }[];
}

export function scriptedServer(plan: ServerPlan = {}): ServerCommand {
  return { command: process.execPath, args: [join(OWN, 'scripted-server.mjs'), JSON.stringify(plan)] };
}

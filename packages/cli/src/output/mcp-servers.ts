/** MCP servers as rows of data, for lists, the panel and `gemini mcp list`. Values of env and headers are never in it. */
import { type McpServerView, targetOf, transportKindOf } from '@gemini-cli/core';

/** Whether the user has signed in to a server. */
export type SignInState = 'authenticated' | 'expired' | 'not_authenticated';

export interface McpServerRow {
  name: string;
  extension?: string;
  description?: string;
  status: McpServerView['status'];
  target: string;
  transport: string;
  /** Why it is not connected. */
  reason?: string;
  signIn?: SignInState;
  tools: readonly McpOffer[];
  /** Tools that its configuration leaves out. */
  hiddenTools?: number;
  prompts: readonly McpOffer[];
  resources: readonly McpOffer[];
}

/** A tool, prompt or resource. */
export interface McpOffer {
  name: string;
  description?: string;
  /** Of a tool's parameters. */
  schema?: unknown;
}

/** @param mask removes secrets: a command line may contain one */
export function mcpRow(
  { server, status, block, error, client, tools }: McpServerView,
  mask: (text: string) => string,
  signIn?: SignInState,
): McpServerRow {
  const { name, config, extension } = server;
  const reason = block?.reason ?? (status === 'connected' ? undefined : error?.message);
  const offered = tools();
  const hiddenTools = (client?.tools.length ?? 0) - offered.length;
  return {
    name,
    ...(extension && { extension: extension.name }),
    ...(config.description && { description: config.description }),
    status,
    target: mask(shownTarget(targetOf(config))),
    transport: transportKindOf(config) ?? 'stdio',
    ...(reason && { reason: mask(reason) }),
    // A server that answers needs no sign-in.
    ...(signIn && (signIn !== 'not_authenticated' || status !== 'connected') && { signIn }),
    tools: offered.map(({ name, description, inputSchema }) => ({
      name,
      ...(description && { description }),
      schema: inputSchema,
    })),
    ...(hiddenTools > 0 && { hiddenTools }),
    prompts: (client?.prompts ?? []).map(({ name, description }) => ({
      name,
      ...(description && { description }),
    })),
    resources: (client?.resources ?? []).map(({ uri, name, description }) => ({
      name: uri,
      description: description ?? name,
    })),
  };
}

/** Credentials and values of parameters in an address may be secrets. */
function shownTarget(target: string): string {
  if (!/^(?:https?|wss?):\/\//i.test(target) || !URL.canParse(target)) return target;
  const { protocol, host, pathname, search } = new URL(target);
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
}

const WORDS: Readonly<Record<McpServerRow['status'], readonly [mark: string, word: string]>> = {
  connected: ['✓', 'Connected'],
  connecting: ['…', 'Connecting'],
  disconnected: ['✗', 'Disconnected'],
  disconnecting: ['✗', 'Disconnected'],
  blocked: ['⛔', 'Blocked'],
  disabled: ['○', 'Disabled'],
};

export function statusMark({ status }: Pick<McpServerRow, 'status'>): string {
  return WORDS[status][0];
}

export function statusWord({ status }: Pick<McpServerRow, 'status'>): string {
  return WORDS[status][1];
}

/** `Ready (3 tools, 1 prompt)` or `Ready (2 of 3 tools)`, or why it is not. */
export function statusText(row: McpServerRow): string {
  if (row.status !== 'connected') return statusWord(row);
  const { tools, hiddenTools = 0 } = row;
  const all = counted(tools.length + hiddenTools, 'tool');
  const counts = [
    hiddenTools > 0 ? `${tools.length} of ${all}` : all,
    counted(row.prompts.length, 'prompt'),
    counted(row.resources.length, 'resource'),
  ];
  return `Ready (${counts.filter((count) => count !== '').join(', ')})`;
}

const SIGN_IN: Readonly<Record<SignInState, string>> = {
  authenticated: 'OAuth: authenticated',
  expired: 'OAuth: expired',
  not_authenticated: 'OAuth: not authenticated',
};

export function signInText({ signIn }: Pick<McpServerRow, 'signIn'>): string {
  return signIn ? SIGN_IN[signIn] : '';
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
}

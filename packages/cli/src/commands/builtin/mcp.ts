/** `/mcp`: lists servers, signs in to them, starts them again, enables and disables them. */
import { type Config, type McpServerView, transportKindOf, visibleName } from '@gemini-cli/core';
import { mcpRow, type SignInState } from '../../output/mcp-servers.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, type Completion, failure, info, warning } from './define.js';
import { type Shown, serverListRow } from './mcp-list.js';
import { engineOf } from './needs.js';

const NONE =
  'No MCP servers configured. Add one: gemini mcp add <name> <command or address>. /docs mcp says more.';

export const panel: Action = async (context) => {
  const config = engineOf(context);
  // The panel follows the servers; a text cannot.
  if (!config.isInteractive()) await startedEngine(context);
  if (viewsOf(config).length === 0) return info(NONE);
  config.getMcpClientManager()?.reports.showDetails();
  const listed = await listing(config, { descriptions: false, schemas: false });
  return { type: 'dialog', dialog: 'mcp', plain: plainText(listed) };
};

export const list: Action = (context) => show(context, { descriptions: false, schemas: false });
export const describe: Action = (context) => show(context, { descriptions: true, schemas: false });
export const schema: Action = (context) => show(context, { descriptions: true, schemas: true });

async function show(context: CommandContext, shown: Shown): Promise<SlashCommandActionReturn> {
  const config = await startedEngine(context);
  config.getMcpClientManager()?.reports.showDetails();
  return { type: 'items', items: [await listing(config, shown)] };
}

/** So long a list waits for servers that are connecting; after that it says so. */
const PATIENCE_MS = 5_000;
/** So long `/mcp auth` waits for the server after the sign-in. */
const SIGNED_IN_MS = 30_000;

/** A headless run waits until each server has connected or failed. */
async function startedEngine(context: CommandContext): Promise<Config> {
  const config = engineOf(context);
  const { signal = new AbortController().signal } = context;
  if (!config.isInteractive()) await config.mcpReady(signal);
  else await config.getMcpClientManager()?.ready(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  return config;
}

async function listing(config: Config, shown: Shown) {
  const redactor = config.getRedactor();
  const rows = await Promise.all(
    viewsOf(config).map(async (view) =>
      serverListRow(
        mcpRow(view, (text) => redactor.redact(text), await signInOf(config, view)),
        shown,
      ),
    ),
  );
  return { type: 'list' as const, title: 'MCP servers', rows, empty: NONE };
}

function plainText({ title, rows }: Awaited<ReturnType<typeof listing>>): string {
  const lines = rows.map(({ name, note, detail = '' }) =>
    [`  ${visibleName(name)}  (${note})`, ...detail.split('\n').map((line) => `    ${line}`)].join('\n'),
  );
  return [`${title}:`, ...lines].join('\n');
}

export const reload: Action = async (context) => {
  const config = engineOf(context);
  await config.reloadMcpServers();
  const manager = config.getMcpClientManager();
  if (!manager) return info(NONE);
  manager.reports.showDetails();
  await manager.restartAll();
  await manager.settled(PATIENCE_MS);
  context.ui.reloadCommands();
  const views = manager.servers();
  const count = (wanted: string) => views.filter(({ status }) => status === wanted).length;
  const late = count('connecting');
  const more = late > 0 ? `, ${late} still connecting` : '';
  return info(`Restarted the MCP servers: ${count('connected')} of ${views.length} connected${more}.`);
};

export const auth: Action = async (context, args) => {
  const config = engineOf(context);
  const manager = config.getMcpClientManager();
  const signIn = config.getMcpSignIn();
  const name = args.trim();
  if (!manager) return info(NONE);
  manager.reports.showDetails();
  if (name === '') return listSignIns(config);
  const view = findServer(config, name);
  if (!view) return failure(notFound(config, name));
  const shown = visibleName(view.server.name);
  // Also where the server has not asked for it: some offer more after a sign-in.
  if (!signIn || transportKindOf(view.server.config) === 'stdio')
    return failure(`The MCP server "${shown}" has no sign-in.`);
  if (view.block) return failure(view.block.reason);
  context.ui.addItem({ type: 'info', text: `Signing in to "${shown}". Esc cancels.` });
  await signIn.authenticate(view.server, context.signal ?? new AbortController().signal);
  await manager.restart(view.server.name);
  await manager.settled(SIGNED_IN_MS, [view.server.name]);
  context.ui.reloadCommands();
  const after = findServer(config, name);
  if (after?.status !== 'connected')
    return warning(
      `Signed in to "${shown}", but it is not connected: ${after?.error?.message ?? 'it does not answer'}`,
    );
  const tools = after.tools().length;
  return info(`Signed in to "${shown}". ${tools === 1 ? '1 tool is' : `${tools} tools are`} available.`);
};

async function listSignIns(config: Config): Promise<SlashCommandActionReturn> {
  const all = await Promise.all(
    viewsOf(config).map(async (view) => ({ name: view.server.name, state: await signInOf(config, view) })),
  );
  const rows = all.flatMap(({ name, state }) => (state ? { name, note: state.replaceAll('_', ' ') } : []));
  const empty = 'No MCP server with a sign-in is configured.';
  return { type: 'items', items: [{ type: 'list', title: 'Sign in with /mcp auth <server>', rows, empty }] };
}

export const enable: Action = (context, args) => change(context, args, true);
export const disable: Action = (context, args) => change(context, args, false);

async function change(context: CommandContext, args: string, enabled: boolean) {
  const config = engineOf(context);
  const isSession = /(?:^|\s)--session(?=\s|$)/.test(args);
  const name = args.replace(/(?:^|\s)--session(?=\s|$)/, ' ').trim();
  const word = enabled ? 'enable' : 'disable';
  if (name === '') return failure(`Name a server: /mcp ${word} <server> [--session]`);
  const view = findServer(config, name);
  if (!view) return failure(notFound(config, name));
  const block = await config.setMcpServerEnabled(view.server.name, enabled, { isSession });
  context.ui.reloadCommands();
  const shown = visibleName(view.server.name);
  return block ? warning(block) : info(enablementText(shown, enabled, isSession));
}

/** The sentences of `gemini mcp enable` and `disable`, without their mark. */
function enablementText(name: string, enabled: boolean, isSession: boolean): string {
  if (!isSession) return `MCP server '${name}' ${enabled ? 'enabled' : 'disabled'}.`;
  return enabled
    ? `Session disable cleared for '${name}'.`
    : `MCP server '${name}' disabled for this session.`;
}

export const completeServers: Completion = (context, partialArg) => names(context, partialArg);
export const completeEnabled: Completion = (context, partialArg) =>
  names(context, partialArg, ({ block }) => !isSwitchedOff(block?.kind));
export const completeDisabled: Completion = (context, partialArg) =>
  names(context, partialArg, ({ block }) => isSwitchedOff(block?.kind));

function names(
  { services }: CommandContext,
  partialArg: string,
  isOffered: (view: McpServerView) => boolean = () => true,
): string[] {
  return viewsOf(services.config)
    .filter(isOffered)
    .map(({ server }) => server.name)
    .filter((name) => name.startsWith(partialArg) && visibleName(name) === name);
}

function isSwitchedOff(kind: string | undefined): boolean {
  return kind === 'session' || kind === 'enablement';
}

function viewsOf(config: Config | null): readonly McpServerView[] {
  return config?.getMcpClientManager()?.servers() ?? [];
}

function findServer(config: Config, name: string): McpServerView | undefined {
  const wanted = name.toLowerCase();
  return (
    viewsOf(config).find(({ server }) => server.name === name) ??
    viewsOf(config).find(({ server }) => server.name.trim().toLowerCase() === wanted)
  );
}

function notFound(config: Config, name: string): string {
  const known = viewsOf(config).map(({ server }) => visibleName(server.name));
  const there = known.length > 0 ? ` There are: ${known.join(', ')}.` : '';
  return `There is no MCP server "${visibleName(name)}".${there}`;
}

async function signInOf(config: Config, { server }: McpServerView): Promise<SignInState | undefined> {
  // Tokens that cannot be read must not hide the list.
  return config
    .getMcpSignIn()
    ?.stateOf(server)
    .catch(() => undefined);
}

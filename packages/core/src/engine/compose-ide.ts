/** The editor of the session. While `ide.enabled` is off nothing is loaded and nothing waits. */
import type { OpenDiff } from '../agent/scheduler/editor-diff.js';
import type { EventStream } from '../bus/event-stream.js';
import type { PromptContext } from '../ide/context/prompt-context.js';
import type { IdeClient } from '../ide/ide-client.js';
import type { InstallOutcome } from '../ide/install-companion.js';
import type { EditorHere, IdeContext, IdeInfo, IdeStatus } from '../ide/types.js';
import type { Environment } from '../platform/environment.js';
import type { Message } from '../protocol/messages.js';

export interface IdeServices {
  status(): IdeStatus;
  /** Undefined: nothing is known. */
  context(): IdeContext | undefined;
  /** Resolves when the editor is connected, or it is known why it is not. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** The editor of this terminal; a text says that there is none. */
  editor(): Promise<EditorHere | string>;
  install(ide: IdeInfo, signal: AbortSignal): Promise<InstallOutcome>;
  /** What to tell the model with the next prompt. */
  forPrompt(history: readonly Message[]): Promise<string | undefined>;
  /** Undefined while no editor shows diffs. */
  openDiff: OpenDiff;
  /** Called when the editor trusts the workspace, or does not any more. */
  onTrust(listener: (trusted: boolean, ide: IdeInfo) => void): void;
  close(): Promise<void>;
}

export interface IdeEngineParts {
  enabled: boolean;
  environment: Environment;
  events: EventStream;
  mask: (text: string) => string;
  /** Undefined: the tools may write there. */
  pathProblem: (path: string) => string | null;
  onConnected: () => void;
}

export function composeIde(parts: IdeEngineParts): IdeServices {
  const { environment, events, mask } = parts;
  let client: IdeClient | undefined;
  let told: PromptContext | undefined;
  let loading: Promise<IdeClient> | undefined;
  let isClosed = false;
  let listener: Parameters<IdeServices['onTrust']>[0] = () => undefined;
  let shown = '';
  const changed = () => {
    if (!client) return;
    const { status, context } = client;
    const { isTrusted, openFiles = [] } = context ?? {};
    // A cursor moves all the time; front ends show which files are open.
    const files = openFiles.map(({ path, isActive }) => ({ path, ...(isActive && { isActive }) }));
    const event = {
      type: 'ide_changed' as const,
      status: status.kind,
      name: status.ide?.displayName,
      files,
      isTrusted,
    };
    const next = JSON.stringify(event);
    if (next === shown) return;
    const before = shown === '' ? undefined : (JSON.parse(shown) as typeof event);
    shown = next;
    if (status.kind === 'connected' && before?.status !== 'connected') parts.onConnected();
    if (isTrusted !== undefined && isTrusted !== before?.isTrusted && status.ide)
      listener(isTrusted, status.ide);
    events.emit(event);
  };
  const load = async () => {
    const [{ createIde }, { PromptContext }] = await Promise.all([
      import('../ide/create.js'),
      import('../ide/context/prompt-context.js'),
    ]);
    told ??= new PromptContext();
    client ??= createIde(environment, changed);
    return client;
  };
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  const connect = async () => {
    const loadedClient = await loaded();
    if (!isClosed) await loadedClient.connect();
  };
  if (parts.enabled) void connect();
  return {
    status: () => client?.status ?? { kind: 'disconnected' },
    context: () => client?.context,
    connect,
    disconnect: async () => {
      await (await loading)?.disconnect();
    },
    editor: async () => (await import('../ide/create.js')).editorHere(environment),
    install: async (ide, signal) => {
      const { installCompanion } = await import('../ide/install-companion.js');
      return installCompanion({ ide, env: environment.variables, signal });
    },
    forPrompt: async (history) => {
      await (await loading)?.ready();
      const { context } = client ?? {};
      if (!context || client?.status.kind !== 'connected') return undefined;
      return told?.next(masked(context, mask), history);
    },
    openDiff: ({ filePath, newContent }) => {
      if (!client?.showsDiffs || parts.pathProblem(filePath) !== null) return undefined;
      return client.openDiff(filePath, newContent);
    },
    onTrust: (next) => {
      listener = next;
      const { context, status } = client ?? {};
      if (context?.isTrusted !== undefined && status?.ide) next(context.isTrusted, status.ide);
    },
    close: async () => {
      isClosed = true;
      await (await loading)?.disconnect();
    },
  };
}

/** A secret in the selection is for the user's eyes, like one in a file. */
function masked({ openFiles, ...rest }: IdeContext, mask: (text: string) => string): IdeContext {
  return {
    ...rest,
    openFiles: openFiles.map((file) => ({
      ...file,
      ...(file.selectedText !== undefined && { selectedText: mask(file.selectedText) }),
    })),
  };
}

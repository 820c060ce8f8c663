/** The editor of the session. While `ide.enabled` is off nothing is loaded and nothing waits. */
import type { OpenDiff } from '../agent/scheduler/editor-diff.js';
import type { EventStream } from '../bus/event-stream.js';
import { takeEditor } from '../ide/held-editor.js';
import type { InstallOutcome } from '../ide/install-companion.js';
import type { EditorHere, IdeContext, IdeInfo, IdeStatus } from '../ide/types.js';
import type { Environment } from '../platform/environment.js';
import { createLog } from '../platform/log.js';
import type { Message } from '../protocol/messages.js';
import type { IdeSession } from './ide-session.js';

const log = createLog('ide');

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
  /** What the editor says about the workspace counts before the user's saved rules, and takes effect at once. */
  followTrust(port: TrustPort): void;
  close(): Promise<void>;
}

/** Whose trust follows the editor. */
export interface TrustPort {
  isTrustedFolder(): boolean;
  /** @throws FatalConfigError when the folder's settings are invalid */
  setTrusted(trusted: boolean): void;
}

export interface IdeEngineParts {
  enabled: boolean;
  environment: Environment;
  events: EventStream;
  mask: (text: string) => string;
  /** True: the model may not read this file. */
  isHidden: (path: string) => boolean;
  /** Null: the tools may write there. */
  pathProblem: (path: string) => string | null;
  onConnected: () => void;
}

export function composeIde(parts: IdeEngineParts): IdeServices {
  const { enabled, environment } = parts;
  let session: IdeSession | undefined;
  let loading: Promise<IdeSession> | undefined;
  let trust: TrustPort | undefined;
  const load = async () => {
    const held = takeEditor(environment);
    const { IdeSession } = await import('./ide-session.js');
    session = new IdeSession(parts, () => trust, held);
    return session;
  };
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  const connect = async () => (await loaded()).connect();
  if (enabled) connect().catch((error: unknown) => log.error('The editor cannot be used.', error));
  return {
    status: () => session?.status ?? { kind: 'disconnected' },
    context: () => session?.context,
    connect,
    disconnect: async () => (await loading)?.disconnect(),
    editor: async () => (await import('../ide/create.js')).editorHere(environment),
    install: async (ide, signal) => {
      const { installCompanion } = await import('../ide/install-companion.js');
      return installCompanion({ ide, env: environment.variables, signal });
    },
    forPrompt: async (history) => (await loading)?.forPrompt(history),
    openDiff: (edit) => session?.openDiff(edit),
    followTrust: (port) => {
      trust = port;
      session?.followTrust();
    },
    close: async () => (await loading)?.close(),
  };
}

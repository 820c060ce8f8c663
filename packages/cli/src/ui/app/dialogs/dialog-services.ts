/** What dialogs may do to the running program. */
import { messageOf, openInBrowser, ownVariables, type TrustAnswer, TrustedFolders } from '@gemini-cli/core';
import type { DialogServices, TrustLevel } from '../../dialogs/dialog.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from '../conversation/engine-host.js';
import { readFolderAgain } from '../conversation/folder-again.js';

/** What other parts of the app do for dialogs and for slash commands. */
export type ServicePorts = Pick<
  DialogServices,
  'setInput' | 'previewTheme' | 'copyToClipboard' | 'openEditor' | 'resumeSession' | 'quit'
> & {
  /** Applies the settings that some part keeps a copy of. */
  applySettings(): void;
};

export function dialogServices(
  context: AppContext,
  engine: EngineHost,
  { applySettings, ...ports }: ServicePorts,
): DialogServices {
  const { settings, cwd } = context.folder;
  return {
    ...ports,
    config: engine.config,
    telemetry: () => engine.telemetry,
    settings,
    cwd,
    env: context.env,
    ownEnv: ownVariables(context.folder.environment),
    proxy: context.folder.environment.proxy,
    addItem: (item) => context.add(item),
    changeSetting: async (scope, key, value) => {
      await settings.setValue(scope, key, value);
      applySettings();
    },
    restartEngine: () => attempt(() => engine.start()),
    switchModel: (model) => attempt(() => changeModel(context, engine, model)),
    setTrust: (level, path) => attempt(() => setTrust(context, engine, level, path)),
    trustOf: (path) => (path === undefined ? context.folder.trust : savedTrust(context, path)),
    openUrl: (url) => openInBrowser(url, context.env),
  };
}

/** The problem as a sentence; undefined: it worked. */
async function attempt(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The footer shows it at once, and a restarted engine keeps it. */
export async function changeModel({ store }: AppContext, engine: EngineHost, model: string): Promise<void> {
  const before = engine.model;
  engine.model = model;
  try {
    await (engine.config ? engine.config.setModel(model) : engine.start());
  } catch (error) {
    engine.model = before;
    throw error;
  }
  if (engine.config) store.dispatch({ type: 'facts_changed', facts: { model: engine.config.getModel() } });
}

/** What the user has decided about another folder. */
function savedTrust({ folder, env }: AppContext, path: string): TrustAnswer {
  const { trustedFolders } = folder.settings.merged;
  const decision = TrustedFolders.load(env, { trustedFolders, tolerant: true }).decide(path);
  return { trusted: decision === 'trusted', source: decision === 'undecided' ? 'none' : 'file' };
}

/** Saved and applied at once: the folder's settings and `.env` are read again, a running engine gets the new trust. */
async function setTrust(
  context: AppContext,
  engine: EngineHost,
  level: TrustLevel,
  path = context.folder.cwd,
): Promise<void> {
  const { folder, env } = context;
  const { trustedFolders } = folder.settings.merged;
  await TrustedFolders.load(env, { trustedFolders }).setRule(path, level);
  await readFolderAgain(context, engine);
}

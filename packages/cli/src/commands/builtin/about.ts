/** `/about`: the version, model and environment, as a bug report needs them. */
import { release } from 'node:os';
import type { AboutView } from '../../history/item.js';
import type { CommandContext } from '../types.js';
import type { Action } from './define.js';

export const about: Action = async (context) => {
  const containment = await containmentOf(context);
  return { type: 'items', items: [{ type: 'about', about: { ...describe(context), ...containment } }] };
};

/** Starts the sandbox once to know, if no command has needed it yet. */
async function containmentOf({
  services: { config },
}: CommandContext): Promise<Pick<AboutView, 'containment'>> {
  const state = await config?.getContainment().state();
  if (!state) return {};
  const parts = state.ok
    ? ['contained', ...state.notes]
    : ['not contained', `${state.reason} ${state.remedy}`];
  return { containment: parts.join('. ') };
}

export function describe({ services: { config }, session }: CommandContext): AboutView {
  const { auth, tier, account } = session.stats;
  const ide = config?.getIde().status();
  const editor = ide?.kind === 'connected' ? ide.ide : undefined;
  return {
    version: __VERSION__,
    commit: __COMMIT__,
    model: config?.getModel() ?? 'none',
    sandbox:
      config?.getEnvironment().variables['SANDBOX'] ??
      (config?.getToolSandbox() ? 'all tools' : 'no sandbox'),
    os: `${process.platform} ${release()} (${process.arch}), Node.js ${process.version}`,
    auth: auth ?? config?.getAuthType() ?? 'none',
    ...(tier && { tier }),
    ...(account && { account }),
    ...(editor && { ide: editor.displayName }),
  };
}

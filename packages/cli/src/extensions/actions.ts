/** The verbs that change installed extensions, for the shell and for `/extensions`. Their code is loaded with the first call. */
import { loadExtensionInstallation } from '@gemini-cli/core';
import type { ExtensionActions, ExtensionQuestions } from '../commands/extension-actions.js';
import type { ExtensionPlaces } from './install-ports.js';

export function extensionActions(places: () => ExtensionPlaces): ExtensionActions {
  const open = async (ask: ExtensionQuestions) => {
    const [core, { installPorts }] = await Promise.all([
      loadExtensionInstallation(),
      import('./install-ports.js'),
    ]);
    return { core, ports: installPorts(places(), ask, core) };
  };
  return {
    install: (request, ask) =>
      unlessRefused(ask, async (asking) => {
        const { core, ports } = await open(asking);
        return core.installExtension(request, ports);
      }),
    link: (path, ask) =>
      unlessRefused(ask, async (asking) => {
        const { core, ports } = await open(asking);
        return core.linkExtension(path, ports);
      }),
    uninstall: async (name, ask) => {
      const { core, ports } = await open(ask);
      return (await core.uninstallExtension(name, ports)).name;
    },
    update: async (names, ask) => {
      const { core, ports } = await open(ask);
      return (await import('./run-update.js')).runUpdate(names, core, ports);
    },
    configure: async (request, ask) => {
      const { core, ports } = await open(ask);
      return (await import('./run-configure.js')).runConfigure(request, core, ports, ask);
    },
  };
}

/** @returns undefined when the user has seen what the extension does and has refused it, which is not an error */
async function unlessRefused<T>(
  ask: ExtensionQuestions,
  run: (asking: ExtensionQuestions) => Promise<T>,
): Promise<T | undefined> {
  let isRefused = false;
  const consent = async (text: string) => {
    const answer = await ask.consent(text);
    isRefused = !answer;
    return answer;
  };
  try {
    return await run({ ...ask, consent });
  } catch (error) {
    if (isRefused) return undefined;
    throw error;
  }
}

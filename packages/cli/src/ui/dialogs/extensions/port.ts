/** What the gallery shows; tests pass their own. */
import { type GalleryEntry, loadExtensionCommands, setting } from '@gemini-cli/core';
import type { DialogServices } from '../dialog.js';

export interface GalleryPort {
  /** The public extensions, best first. */
  entries(signal: AbortSignal): Promise<GalleryEntry[]>;
  /** Names of the installed ones, in lower case. */
  installed(): Promise<ReadonlySet<string>>;
}

export function galleryPort({ config, settings, cwd }: DialogServices): GalleryPort {
  return {
    async entries(signal) {
      if (!config) throw new Error('The engine is not running yet. Sign in first: /auth.');
      const { readGallery } = await loadExtensionCommands();
      const address = setting(settings.merged, 'experimental.extensionRegistryURI');
      return readGallery({ address, environment: config.getEnvironment(), signal });
    },
    async installed() {
      if (!config) return new Set();
      const { loadExtensions } = await loadExtensionCommands();
      const { variables, home } = config.getEnvironment();
      const { extensions } = loadExtensions({
        globalDir: config.storage.getGlobalGeminiDir(),
        home,
        workspacePath: cwd,
        isTrusted: config.isTrustedFolder(),
        variables,
        settings: settings.merged,
      });
      return new Set(extensions.map(({ name }) => name.toLowerCase()));
    },
  };
}

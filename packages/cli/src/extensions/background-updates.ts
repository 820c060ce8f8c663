/**
 * At the start of a session: looks for new versions of the installed extensions. Those with auto-update are updated, of
 * others each new version is named once.
 */
import { type GeminiCLIExtension, loadExtensionInstallation, messageOf } from '@gemini-cli/core';
import { type ExtensionPlaces, installPorts } from './install-ports.js';

export interface BackgroundUpdates {
  extensions: readonly GeminiCLIExtension[];
  places: ExtensionPlaces;
  tell: (text: string) => void;
  /** New versions that the user knows of, by extension. */
  told: Readonly<Record<string, string>>;
  remember: (told: Record<string, string>) => void;
  signal: AbortSignal;
}

/** Sources that do not answer are silent. */
export async function updateInBackground(request: BackgroundUpdates): Promise<void> {
  const { extensions, places, tell, told, remember, signal } = request;
  const updatable = extensions.filter(({ installMetadata: { type } = {} }) => type && type !== 'link');
  if (updatable.length === 0) return;
  const core = await loadExtensionInstallation();
  let isConsentNeeded = false;
  const questions = {
    // Keys that the user types now are not meant as an answer.
    consent: async () => {
      isConsentNeeded = true;
      return false;
    },
    confirm: async () => false,
    value: async () => undefined,
    notice: tell,
    signal,
  };
  const ports = installPorts(places, questions, core);
  const checks = await Promise.all(
    updatable.map(async (extension) => ({ extension, ...(await core.checkForUpdate(extension, ports)) })),
  );
  const news: Record<string, string> = {};
  for (const { extension, status, newer } of checks) {
    const { name, installMetadata, isActive } = extension;
    const known = told[name];
    // Also where the source does not answer now.
    if (known !== undefined && status !== core.ExtensionUpdateStatus.UpToDate) news[name] = known;
    if (status !== core.ExtensionUpdateStatus.UpdateAvailable || newer === undefined || signal.aborted)
      continue;
    const offer = (text: string) => {
      news[name] = newer;
      if (known !== newer) tell(text);
    };
    if (!installMetadata?.autoUpdate) {
      if (isActive)
        offer(`A new version of the extension "${name}" is available. Get it: /extensions update ${name}`);
      continue;
    }
    try {
      isConsentNeeded = false;
      const { previousVersion, version } = await core.updateExtension(name, ports);
      delete news[name];
      tell(`Extension "${name}" was updated: ${previousVersion} → ${version}. The next session uses it.`);
    } catch (error) {
      // The session has ended meanwhile; the next one tries again.
      if (signal.aborted) continue;
      if (isConsentNeeded)
        offer(
          `The new version of the extension "${name}" brings more. Review it: /extensions update ${name}`,
        );
      else offer(`Extension "${name}" could not be updated: ${messageOf(error)}`);
    }
  }
  if (JSON.stringify(news) !== JSON.stringify(told)) remember(news);
}

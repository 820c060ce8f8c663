/** Which model makes utility calls when the conversation is with a provider other than Google. */
import { OFFLINE_MODEL } from '../catalog.js';
import { type ProviderSettings, splitModelName } from '../providers.js';

type Providers = Readonly<Record<string, ProviderSettings & { utilityModel?: string }>>;

const VERTEX = 'vertex/';

/**
 * @param preset model of the alias; one with a provider in its name was chosen by the user and stays
 * @throws for the offline guide, which cannot make such calls
 */
export function utilityModelFor(
  preset: string,
  mainModel: string | undefined,
  providers: Providers = {},
): { model: string; isGoogle: boolean } {
  if (preset.startsWith(VERTEX)) return { model: preset, isGoogle: true };
  if (splitModelName(preset, providers)) return { model: preset, isGoogle: false };
  if (mainModel === OFFLINE_MODEL) {
    throw new Error('The offline guide is not a language model; this needs one. Choose it with --model.');
  }
  const other = mainModel === undefined ? undefined : splitModelName(mainModel, providers);
  if (other && mainModel) return { model: ownModel(other.provider, providers) ?? mainModel, isGoogle: false };
  return { model: mainModel?.startsWith(VERTEX) ? `${VERTEX}${preset}` : preset, isGoogle: true };
}

function ownModel(provider: string, providers: Providers): string | undefined {
  const name = Object.hasOwn(providers, provider) ? providers[provider]?.utilityModel : undefined;
  if (!name) return undefined;
  return name.startsWith(`${provider}/`) ? name : `${provider}/${name}`;
}

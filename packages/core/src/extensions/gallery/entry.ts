/** One entry of the list of public extensions, checked. */
import { isObject } from '../../base/objects.js';
import { visibleName } from '../../base/visible-text.js';

export interface GalleryEntry {
  id: string;
  rank: number;
  /** Of the repository: what is installed. */
  url: string;
  /** `owner/repository`. */
  fullName: string;
  repoDescription: string;
  stars: number;
  lastUpdated: string;
  extensionName: string;
  extensionVersion: string;
  extensionDescription: string;
  avatarUrl: string;
  hasMCP: boolean;
  hasContext: boolean;
  hasHooks: boolean;
  hasSkills: boolean;
  hasCustomCommands: boolean;
  isGoogleOwned: boolean;
  licenseKey: string;
}

/** @returns undefined for what cannot be shown or installed: no name, or an address that is not one of the web */
export function readGalleryEntry(value: unknown): GalleryEntry | undefined {
  if (!isObject(value)) return undefined;
  const text = (key: string) => (typeof value[key] === 'string' ? visibleName(value[key]) : '');
  const count = (key: string) =>
    typeof value[key] === 'number' && Number.isFinite(value[key]) ? value[key] : 0;
  const flag = (key: string) => value[key] === true;
  const fullName = text('fullName');
  const extensionName = text('extensionName') || (fullName.split('/').at(-1) ?? '');
  const url = webAddress(value['url']);
  if (extensionName === '' || url === undefined) return undefined;
  const id = typeof value['id'] === 'number' ? String(value['id']) : text('id');
  return {
    id: id || url,
    rank: count('rank') || Number.MAX_SAFE_INTEGER,
    url,
    fullName,
    repoDescription: text('repoDescription'),
    stars: count('stars'),
    lastUpdated: text('lastUpdated'),
    extensionName,
    extensionVersion: text('extensionVersion'),
    extensionDescription: text('extensionDescription'),
    avatarUrl: text('avatarUrl'),
    hasMCP: flag('hasMCP'),
    hasContext: flag('hasContext'),
    hasHooks: flag('hasHooks'),
    hasSkills: flag('hasSkills'),
    hasCustomCommands: flag('hasCustomCommands'),
    isGoogleOwned: flag('isGoogleOwned'),
    licenseKey: text('licenseKey'),
  };
}

/** The address is given to git, so nothing that could be read as an option, and no credentials. */
function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, username, password, href } = new URL(value);
  return protocol === 'https:' && username === '' && password === '' ? href : undefined;
}

/** Checks and reads the responses of the service. */
import { objectOf } from '../../base/objects.js';
import { creditsIn } from './credits.js';

export interface Tier {
  /** `free-tier`, `legacy-tier`, `standard-tier`. */
  id: string;
  name?: string;
  isDefault?: boolean;
  needsProject?: boolean;
}

export interface IneligibleTier {
  /** For programs, e.g. `UNSUPPORTED_LOCATION`. */
  code?: string;
  message: string;
  /** Where the user can resolve it. */
  link?: string;
}

export interface LoadAnswer {
  currentTier?: Tier;
  project?: string;
  allowed: Tier[];
  ineligible: IneligibleTier[];
  /** Undefined: this account has none. */
  credits?: number;
}

export interface Operation {
  name?: string;
  isDone: boolean;
  project?: string;
  error?: string;
}

export function parseLoad(value: unknown): LoadAnswer {
  const fields = objectOf(value);
  return {
    currentTier: tierOf(fields['currentTier']),
    project: projectOf(fields['cloudaicompanionProject']),
    allowed: listOf(fields['allowedTiers']).flatMap((item) => tierOf(item) ?? []),
    ineligible: listOf(fields['ineligibleTiers']).map(ineligibleOf),
    credits: creditsIn(objectOf(fields['paidTier'])['availableCredits']),
  };
}

export function parseOperation(value: unknown): Operation {
  const fields = objectOf(value);
  const response = objectOf(fields['response']);
  const name = textOf(fields['name']);
  const error = fields['error']
    ? (textOf(objectOf(fields['error'])['message']) ?? 'no reason given')
    : undefined;
  return {
    ...(name && { name }),
    isDone: fields['done'] === true,
    project: projectOf(response['cloudaicompanionProject']),
    error,
  };
}

function tierOf(value: unknown): Tier | undefined {
  const fields = objectOf(value);
  const id = textOf(fields['id']);
  if (!id) return undefined;
  const needsProject = fields['userDefinedCloudaicompanionProject'] === true || id === 'standard-tier';
  return { id, name: textOf(fields['name']), isDefault: fields['isDefault'] === true, needsProject };
}

function ineligibleOf(value: unknown): IneligibleTier {
  const fields = objectOf(value);
  const tier = textOf(fields['tierName']) ?? textOf(fields['tierId']) ?? 'this tier';
  return {
    code: textOf(fields['reasonCode']),
    message: textOf(fields['reasonMessage']) ?? `It may not use ${tier}.`,
    link: textOf(fields['validationUrl']),
  };
}

/** Its id, or an object with it. */
function projectOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)['id']);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

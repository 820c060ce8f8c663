/** Versions and their channels: `1.2.3` is stable, `1.2.3-preview.1` a preview, `1.2.3-nightly.20260101.abc` a nightly. */

interface Version {
  numbers: readonly [number, number, number];
  /** Pre-release parts; empty for a release. */
  before: readonly (string | number)[];
}

/** The registry tags that may replace a version of a channel: never a less stable one. */
const TAGS: Readonly<Record<'stable' | 'preview' | 'nightly', readonly string[]>> = {
  stable: ['latest'],
  preview: ['preview', 'latest'],
  nightly: ['nightly', 'latest'],
};

/** @returns the newest version to offer, or undefined */
export function newerVersion(current: string, tags: Readonly<Record<string, string>>): string | undefined {
  const own = parse(current);
  if (!own) return undefined;
  const offered = TAGS[channelOf(current)].flatMap((tag) => tags[tag] ?? []);
  let best = { text: '', version: own };
  for (const text of offered) {
    const version = parse(text);
    // A tag may point anywhere: a stable version is never replaced by a preview.
    if (!version || TAGS[channelOf(current)].every((tag) => tag !== tagOf(text))) continue;
    if (compare(version, best.version) > 0) best = { text, version };
  }
  return best.text || undefined;
}

function channelOf(version: string): 'stable' | 'preview' | 'nightly' {
  if (!version.includes('-')) return 'stable';
  return version.includes('nightly') ? 'nightly' : 'preview';
}

function tagOf(version: string): string {
  const channel = channelOf(version);
  return channel === 'stable' ? 'latest' : channel;
}

const SHAPE = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/;

function parse(text: string): Version | undefined {
  const found = SHAPE.exec(text);
  if (!found) return undefined;
  const [, major, minor, patch, before] = found;
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    before: before ? before.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) : [],
  };
}

/** By the rules of semantic versions. */
function compare(one: Version, other: Version): number {
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.before.length === 0 || other.before.length === 0) return other.before.length - one.before.length;
  for (let index = 0; index < Math.max(one.before.length, other.before.length); index++) {
    const difference = comparePart(one.before[index], other.before[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function comparePart(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0;
  if (one === undefined) return -1;
  if (other === undefined) return 1;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'number') return -1;
  if (typeof other === 'number') return 1;
  return one < other ? -1 : 1;
}

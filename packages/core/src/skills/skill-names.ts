/** Names of skills: made safe for commands, prompts and folders. */

const MAX_LENGTH = 128;
/** What the standard says; other names work, with a warning. */
const STANDARD = /^[a-z0-9-]{1,64}$/;

/** Undefined: nothing that could be a name is left. */
export function cleanSkillName(written: string): string | undefined {
  // Nearly all; the tables of Unicode take V8 longer than everything else about a skill.
  if (isStandardName(written)) return written;
  const name = written
    .replace(/[:\\/<>*?"|]/g, '-')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  return name === '' || /^\.+$/.test(name) || name.length > MAX_LENGTH ? undefined : name;
}

export function isStandardName(name: string): boolean {
  return STANDARD.test(name);
}

/** For comparisons: names differ only by more than case. */
export function skillKey(name: string): string {
  return name.toLowerCase();
}

/** The folder that an installed skill gets: one part of a path, never hidden. */
export function folderNameOf(name: string): string {
  return name.replace(/\s+/g, '-').replace(/^\.+/, '') || 'skill';
}

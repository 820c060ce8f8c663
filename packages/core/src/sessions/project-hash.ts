/** The hash of a project's root, as session files carry it. */

/** `node:crypto` is loaded when the first session file is opened, not at every start. */
export function projectHashOf(projectRoot: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(projectRoot).digest('hex');
}

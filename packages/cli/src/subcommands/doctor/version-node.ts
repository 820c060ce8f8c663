/** Checks the version of Node. */
import { type Check, failure, ok } from './check.js';

const OLDEST = [20, 19] as const;

export const versionNode: Check = {
  id: 'version',
  title: 'Program',
  run({ version }) {
    const details = [
      `gemini ${version} (commit ${__COMMIT__}), Node ${process.versions.node}, ${process.platform} ${process.arch}`,
      `Node is ${process.execPath}`,
    ];
    if (isNewEnough(process.versions.node)) return ok(...details);
    return failure(details, `Install Node ${OLDEST.join('.')} or later.`);
  },
};

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

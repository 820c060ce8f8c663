/** Chooses how processes with declared rights are restricted on this platform. */
import type { Variables } from '../../environment.js';
import type { RightsSandbox } from './types.js';

export interface RightsOptions {
  variables: Variables;
  platform?: NodeJS.Platform;
  /** Directory of our own files; default: below `~/.gemini/tmp`. */
  stateDirectory?: string;
}

export type RightsLoader = () => Promise<RightsSandbox>;

/** Loads it on first use, and once: few extensions declare rights. */
export function rightsLoader(options: RightsOptions): RightsLoader {
  let loading: Promise<RightsSandbox> | undefined;
  return () => {
    loading ??= createRightsSandbox(options);
    return loading;
  };
}

async function createRightsSandbox({
  variables,
  platform = process.platform,
  stateDirectory,
}: RightsOptions): Promise<RightsSandbox> {
  if (platform === 'linux') {
    const { LinuxRightsSandbox } = await import('./linux-rights.js');
    return new LinuxRightsSandbox({ variables, ...(stateDirectory !== undefined && { stateDirectory }) });
  }
  if (platform === 'darwin') {
    const { MacRightsSandbox } = await import('./mac-rights.js');
    return new MacRightsSandbox({ variables });
  }
  const { NoRightsSandbox } = await import('./no-rights.js');
  return new NoRightsSandbox(platform);
}

/** Chooses how this platform holds commands. */
import type { Variables } from '../../environment.js';
import type { Container } from './types.js';

export interface ContainerOptions {
  variables: Variables;
  platform?: NodeJS.Platform;
  /** Where files of our own go; absent: the usual place. */
  stateDirectory?: string;
}

/** Undefined where commands cannot be held one by one. */
export async function createContainer({
  variables,
  platform = process.platform,
  stateDirectory,
}: ContainerOptions): Promise<Container | undefined> {
  if (platform === 'linux') {
    const { LinuxContainer } = await import('./linux-container.js');
    return new LinuxContainer({ variables, stateDirectory });
  }
  if (platform === 'darwin') {
    const { MacContainer } = await import('./mac-container.js');
    return new MacContainer({ variables });
  }
  return undefined;
}

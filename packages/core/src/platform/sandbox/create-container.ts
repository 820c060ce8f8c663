/** Chooses how this platform holds commands. */
import type { Variables } from '../environment.js';
import type { Container } from './containment/types.js';

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
    const [{ LinuxContainer }, { FirstContainer }] = await Promise.all([
      import('./containment/linux-container.js'),
      import('./containment/first-container.js'),
    ]);
    return new FirstContainer(new LinuxContainer({ variables, stateDirectory }), async () => {
      const { LandlockContainer } = await import('./landlock/landlock-container.js');
      return new LandlockContainer({ variables, stateDirectory });
    });
  }
  if (platform === 'darwin') {
    const { MacContainer } = await import('./containment/mac-container.js');
    return new MacContainer({ variables });
  }
  return undefined;
}

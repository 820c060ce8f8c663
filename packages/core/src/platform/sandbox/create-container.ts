/** Chooses how commands are contained on this platform. */
import type { Variables } from '../environment.js';
import type { Container } from './containment/types.js';

export interface ContainerOptions {
  variables: Variables;
  platform?: NodeJS.Platform;
  /** Directory of our own files; default: below `~/.gemini/tmp`. */
  stateDirectory?: string;
}

/** Undefined where single commands cannot be contained. */
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

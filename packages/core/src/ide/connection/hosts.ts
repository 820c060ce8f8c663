/** Where an editor on this machine listens, as seen from here. */
import { existsSync } from 'node:fs';
import type { Variables } from '../../platform/environment.js';

const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv'];
/** The editor's own part runs in the same container, or on the same remote machine. */
const REMOTE_EDITOR = [
  'SSH_CONNECTION',
  'SSH_CLIENT',
  'SSH_TTY',
  'REMOTE_CONTAINERS',
  'REMOTE_CONTAINERS_IPC',
  'VSCODE_REMOTE_CONTAINERS_SESSION',
  'DEVCONTAINER',
  'CODESPACES',
];

export function isInContainer(exists: (path: string) => boolean = existsSync): boolean {
  return CONTAINER_MARKS.some(exists);
}

/**
 * In the order to try. In a plain container the editor is usually outside; the container itself comes first, since a closed
 * port there is refused at once, and an editor in the same container is as possible.
 */
export function hostsOf(env: Variables, inContainer = isInContainer()): readonly string[] {
  const isOutside = inContainer && !REMOTE_EDITOR.some((name) => env[name]);
  return isOutside ? ['127.0.0.1', 'host.docker.internal'] : ['127.0.0.1'];
}

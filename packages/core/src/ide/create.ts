/** Makes the client for a session. The protocol library is loaded when a companion is found. */
import type { Environment } from '../platform/environment.js';
import { isInContainer } from './connection/hosts.js';
import { type Ancestor, ancestors } from './detection/ancestors.js';
import { editorNamed } from './detection/detect.js';
import { findServers, type Machine, NOT_SUPPORTED } from './discovery/find-servers.js';
import { IdeClient } from './ide-client.js';
import type { EditorHere } from './types.js';

export function createIde(environment: Environment, onChange: () => void): IdeClient {
  return new IdeClient({ environment, machine: machineOf(environment), onChange });
}

/** The editor of this terminal, or one whose companion runs; a text says that there is none. */
export async function editorHere(environment: Environment): Promise<EditorHere | string> {
  const { ide, servers } = await findServers(machineOf(environment));
  if (!ide) return NOT_SUPPORTED;
  const canInstall = editorNamed(ide.name)?.installers !== undefined;
  return { ...ide, canInstall, isInstalled: servers.length > 0 };
}

function machineOf({ variables, cwd }: Environment): Machine {
  let parents: Promise<readonly Ancestor[]> | undefined;
  return {
    env: variables,
    cwd,
    userId: process.getuid?.(),
    seesEditor: !isInContainer(),
    isAlive,
    // They stay the same, and where a list of all processes is needed it costs more than all the rest of a look.
    ancestors: () => {
      parents ??= ancestors();
      return parents;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, but as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

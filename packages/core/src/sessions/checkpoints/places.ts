/** The checkpoint directories: beside the sessions, and where older layouts had them. */
import { dirname, join } from 'node:path';
import type { SessionPlaces } from '../finding/session-places.js';
import type { CheckpointPlaces } from './store.js';

const FOLDER = 'checkpoints';

export function checkpointPlaces({ chatsDir, readOnlyDirs }: SessionPlaces): CheckpointPlaces {
  return {
    directory: join(dirname(chatsDir), FOLDER),
    readOnlyDirs: [chatsDir, ...readOnlyDirs].map((directory) => join(directory, FOLDER)),
  };
}

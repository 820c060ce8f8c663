/** Puts a prepared extension in place, with its values and records; or everything stays as it was. */
import { secretService } from '../settings/read-values.js';
import { extensionsFolder } from './installed.js';
import type { InstallPorts } from './ports.js';
import type { PreparedExtension } from './prepare.js';
import { completeRecords, integrityStore, undoRecords } from './records.js';
import {
  type InstallTransaction,
  isNameInPlace,
  type Journal,
  type RecordedExtension,
} from './transaction.js';

export interface Commit {
  prepared: PreparedExtension;
  transaction: InstallTransaction;
  /** Secrets to store, by variable, each for all folders or for a workspace. */
  secrets: readonly { envVar: string; value: string; workspacePath?: string }[];
  /** Folder that is replaced. */
  replaced?: string;
  /** What is removed afterwards. */
  removed?: RecordedExtension;
}

/** While the lock is held. */
export async function commitExtension(commit: Commit, ports: InstallPorts): Promise<void> {
  const { prepared, transaction, secrets, replaced, removed } = commit;
  const { manifest, id, metadata } = prepared;
  const identity = { name: manifest.name, id };
  const workspaces = secrets.map(({ workspacePath }) => workspacePath).filter((one) => one !== undefined);
  const unique = (items: readonly string[]) => [...new Set(items)];
  const integrity = await integrityStore(ports).sign(metadata);
  const added = {
    ...identity,
    secrets: unique(secrets.map((one) => one.envVar)),
    workspaces: unique(workspaces),
  };
  const journal: Journal = {
    target: manifest.name,
    integrity,
    added,
    ...(replaced !== undefined && { replaced }),
    ...(removed && { removed }),
  };
  try {
    transaction.write(journal);
    for (const { envVar, value, workspacePath } of secrets)
      await ports.secrets.set(secretService(identity, workspacePath), envVar, value);
    transaction.swap(journal);
    await completeRecords(journal, ports);
  } catch (error) {
    transaction.restore(journal);
    await undoRecords(journal, ports, isNameInPlace(extensionsFolder(ports), journal));
    throw error;
  }
}

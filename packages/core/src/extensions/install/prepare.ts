/** Copies a source into the staging folder and reads what was copied: the source may change meanwhile. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDirectory, tryStat } from '../../platform/files/try-read.js';
import { extensionId } from '../load/load-extensions.js';
import { readManifest } from '../manifest/read-manifest.js';
import { WORKSPACES_FILE } from '../settings/store-values.js';
import {
  EXTENSION_ENV_FILE,
  type ExtensionInstallMetadata,
  type ExtensionManifest,
  INSTALL_METADATA_FILE,
} from '../types.js';
import type { ConsentSubject } from './consent.js';
import { copyExtensionFolder } from './copy-folder.js';
import { ExtensionInstallError } from './error.js';
import { fetchSource, type SourceWish } from './fetch.js';
import { extensionsFolder } from './installed.js';
import type { InstallPorts } from './ports.js';
import type { InstallTransaction } from './transaction.js';

export interface PreparedExtension {
  manifest: ExtensionManifest;
  metadata: ExtensionInstallMetadata;
  id: string;
  subject: ConsentSubject;
  /** Messages about parts of the manifest that are ignored. */
  warnings: readonly string[];
}

/** @throws UserError; nothing outside the staging folder was changed */
export async function prepareExtension(
  wish: SourceWish,
  transaction: InstallTransaction,
  ports: InstallPorts,
): Promise<PreparedExtension> {
  const { fetched, staged } = transaction;
  const { dir, clone, metadata } = await fetchSource(wish, fetched, ports);
  if (metadata.convertedFrom) {
    if (!ports.convertPlugin)
      throw new ExtensionInstallError(
        `${metadata.source} is a plugin: gemini extensions import converts it.`,
      );
    await ports.convertPlugin(dir, staged, metadata);
  } else {
    requireManifest(dir);
    copyExtensionFolder(dir, staged, ports.notice);
  }
  if (clone) copyExtensionFolder(join(clone, '.git'), join(staged, '.git'), ports.notice);
  rmSync(fetched, { recursive: true, force: true });
  // Only we write these: an author's `.env` would set values that the user never chose.
  for (const name of [INSTALL_METADATA_FILE, EXTENSION_ENV_FILE, WORKSPACES_FILE])
    rmSync(join(staged, name), { recursive: true, force: true });
  const prepared = readPrepared(staged, metadata, ports);
  writeMetadata(staged, metadata);
  return prepared;
}

/** A link has a folder of its own with nothing but the metadata. */
export function prepareLink(
  source: string,
  { staged }: InstallTransaction,
  ports: InstallPorts,
): PreparedExtension {
  requireManifest(source);
  const metadata = { source, type: 'link' as const };
  const prepared = readPrepared(source, metadata, ports, source);
  mkdirSync(staged);
  writeMetadata(staged, metadata);
  return prepared;
}

function readPrepared(
  dir: string,
  metadata: ExtensionInstallMetadata,
  ports: InstallPorts,
  linked?: string,
): PreparedExtension {
  const workspacePath = ports.environment.cwd;
  // A mistake is in the author's file; the copy is gone when the user reads about it.
  const { name } = manifestIn(dir, { workspacePath, extensionPath: dir }, metadata.source).manifest;
  const extensionPath = linked ?? join(extensionsFolder(ports), name);
  const { manifest, warnings } = manifestIn(dir, { workspacePath, extensionPath });
  return {
    manifest,
    metadata,
    id: extensionId(metadata, name),
    subject: { manifest, dir, extensionPath, workspacePath },
    // Several extensions may be updated at once.
    warnings: warnings.map((message) => `Extension "${name}": ${message}`),
  };
}

function manifestIn(
  dir: string,
  context: { workspacePath: string; extensionPath: string },
  shownAs = context.extensionPath,
) {
  const { manifest, problems } = readManifest(dir, context);
  const own = ({ message }: { message: string }) => message.replaceAll(dir, () => shownAs);
  if (manifest) return { manifest, warnings: problems.map(own) };
  const errors = problems.filter(({ level }) => level === 'error');
  throw new ExtensionInstallError(errors.map(own).join(' '));
}

/** @throws ExtensionInstallError before anything is copied */
function requireManifest(dir: string): void {
  if (tryStat(join(dir, 'gemini-extension.json'))) return;
  const hint = isDirectory(join(dir, '.claude-plugin'))
    ? ' It is a Claude Code plugin: gemini extensions import converts it.'
    : '';
  throw new ExtensionInstallError(
    `Configuration file not found at ${join(dir, 'gemini-extension.json')}${hint}`,
  );
}

function writeMetadata(dir: string, metadata: ExtensionInstallMetadata): void {
  writeFileSync(join(dir, INSTALL_METADATA_FILE), `${JSON.stringify(metadata, null, 2)}\n`, { mode: 0o644 });
}

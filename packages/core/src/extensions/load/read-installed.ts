/** One installed extension as its files say it; what settings and variables decide is judged at every load. */
import { join } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import type { FileMemory } from '../../platform/files/file-memory.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { readManifest } from '../manifest/read-manifest.js';
import {
  type ExtensionInstallMetadata,
  type ExtensionProblem,
  type GeminiCLIExtension,
  INSTALL_METADATA_FILE,
  MANIFEST_FILE,
} from '../types.js';
import { carriedFiles } from './carried-files.js';
import { extensionId } from './extension-id.js';
import { readInstallMetadata } from './install-metadata.js';

export interface InstalledFolder {
  installPath: string;
  isLink: boolean;
}

export interface ReadInstalled {
  extension?: GeminiCLIExtension;
  problems: ExtensionProblem[];
}

/** With what it depends on besides files. */
interface Remembered extends ReadInstalled {
  /** Where the link leads. */
  target?: string;
  /** Its texts name this folder. */
  workspacePath?: string;
}

interface Reading {
  workspacePath: string;
  memory?: FileMemory;
}

export function readInstalled(folder: InstalledFolder, { workspacePath, memory }: Reading): ReadInstalled {
  const { installPath, isLink } = folder;
  // A link in the folder of extensions is the same as one in the metadata.
  const target = isLink ? realPathOf(installPath) : undefined;
  const known = memory?.recall<Remembered>('extension', installPath);
  if (known && known.target === target && (known.workspacePath ?? workspacePath) === workspacePath)
    return known;
  const lesson = memory?.lesson('extension', installPath);
  const { usesWorkspace, ...read } = readFiles(installPath, target, {
    workspacePath,
    look: (path) => lesson?.look(path),
  });
  // What is wrong may be put right by a change elsewhere: it is looked at again each time.
  if (read.problems.length === 0)
    lesson?.learn({ ...read, ...(target && { target }), ...(usesWorkspace && { workspacePath }) });
  return read;
}

function readFiles(
  installPath: string,
  target: string | undefined,
  { workspacePath, look }: { workspacePath: string; look: (path: string) => void },
): ReadInstalled & { usesWorkspace?: boolean } {
  look(installPath);
  const { metadata: recorded, problem } = readInstallMetadata(installPath);
  if (recorded) look(join(installPath, INSTALL_METADATA_FILE));
  if (problem) return { problems: [problem] };
  const metadata: ExtensionInstallMetadata | undefined =
    recorded ?? (target === undefined ? undefined : { source: target, type: 'link' });
  const path = metadata?.type === 'link' ? metadata.source : installPath;
  look(path);
  look(join(path, MANIFEST_FILE));
  const { manifest, raw, problems: found } = readManifest(path, { workspacePath });
  const usesWorkspace = JSON.stringify(raw ?? {}).includes('${workspacePath}');
  const problems = found.map((one) => ({
    ...one,
    message: about(manifest?.name ?? installPath, one.message),
  }));
  if (!manifest) return { problems, usesWorkspace };
  const { contextFileName: _, skills: __, ...given } = manifest;
  return {
    problems,
    usesWorkspace,
    extension: {
      ...given,
      isActive: true,
      path,
      installPath,
      id: extensionId(metadata, manifest.name),
      ...(metadata && { installMetadata: metadata }),
      ...carriedFiles(path, manifest, look),
    },
  };
}

function about(name: string, message: string): string {
  return `Extension ${visibleName(name)}: ${message}`;
}

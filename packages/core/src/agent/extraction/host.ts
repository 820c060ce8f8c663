/** What the extraction agent may touch: it reads the memory directory and writes its suggestions there. */
import { join, relative, sep } from 'node:path';
import { MAX_PATCH_BYTES } from '../../memory/auto/patch-format.js';
import type { AutoMemoryPlaces } from '../../memory/auto/places.js';
import { isSkillName, MAX_SKILL_BYTES, SKILL_FILE } from '../../memory/auto/skill-drafts.js';
import type { Environment } from '../../platform/environment.js';
import { FileError } from '../../platform/files/file-error.js';
import {
  StandardFileSystemService,
  type TextFormat,
  type WriteOptions,
} from '../../platform/files/file-system.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import type { Storage } from '../../platform/storage/storage.js';
import type { GrepHost } from '../../tools/grep/grep.js';
import { FileDiscoveryService } from '../../workspace/file-discovery.js';
import type { FileFilteringOptions, FileHost, WorkspaceHost } from '../../workspace/host.js';
import { createPathAccess, PATH_REFUSAL, type PathAccess } from '../../workspace/path-access.js';
import { WorkspaceContext } from '../../workspace/workspace-context.js';

export type ExtractionHost = WorkspaceHost & FileHost & GrepHost;

export interface HostSources {
  places: AutoMemoryPlaces;
  storage: Storage;
  environment: Environment;
  redact: (text: string) => string;
  /** Drafts that already wait for the user's review. */
  pendingDrafts: readonly string[];
}

const FILTERING: FileFilteringOptions = {
  respectGitIgnore: false,
  respectGeminiIgnore: false,
  customIgnoreFilePaths: [],
};

export function createExtractionHost(sources: HostSources): ExtractionHost {
  const { places, storage, environment, redact } = sources;
  const workspace = new WorkspaceContext(places.memoryDir);
  const files = new RedactedFiles(redact);
  const discovery = new FileDiscoveryService(places.memoryDir, FILTERING, storage.getGlobalGeminiDir());
  return {
    getTargetDir: () => places.memoryDir,
    getWorkspaceContext: () => workspace,
    validatePathAccess: extractionAccess(sources, workspace),
    storage,
    getEnvironment: () => environment,
    getFileSystemService: () => files,
    getFileService: () => discovery,
    getFileFilteringOptions: () => FILTERING,
    getUseRipgrep: () => false,
  };
}

/** Stricter than the rules for agents: everything outside these folders is invisible to it. */
function extractionAccess(
  { places, storage, pendingDrafts }: HostSources,
  workspace: WorkspaceContext,
): PathAccess {
  const general = createPathAccess(workspace, storage, { agent: 'extraction' });
  return (path, access = 'write') => {
    const refusal = `${PATH_REFUSAL}: "${path}" is not open to you. You read ${places.memoryDir} and ${places.globalFile}, and write your two patches and new drafts of skills.`;
    if (path.includes('\0')) return refusal;
    const real = realPathOf(path);
    if (access === 'read') {
      const isOpen = isInside(real, places.memoryDir) || real === realPathOf(places.globalFile);
      return isOpen ? null : refusal;
    }
    if (general(path, 'write') !== null) return refusal;
    return isPatch(real, places) || isNewDraft(real, places, pendingDrafts) ? null : refusal;
  };
}

function isPatch(real: string, { inboxDir }: AutoMemoryPlaces): boolean {
  return isInside(real, inboxDir);
}

function isNewDraft(real: string, { draftsDir }: AutoMemoryPlaces, pending: readonly string[]): boolean {
  const [name = '', file, ...deeper] = relative(draftsDir, real).split(sep);
  return isSkillName(name) && file === SKILL_FILE && deeper.length === 0 && !pending.includes(name);
}

/** Redacts secrets in what the agent writes once more, and limits its size. */
class RedactedFiles extends StandardFileSystemService {
  constructor(private readonly redact: (text: string) => string) {
    super();
  }

  override async writeTextFile(path: string, text: string, format?: TextFormat, options?: WriteOptions) {
    const most = path.endsWith(join(sep, SKILL_FILE)) ? MAX_SKILL_BYTES : MAX_PATCH_BYTES;
    if (Buffer.byteLength(text) > most)
      throw new FileError('too_large', `${path} may have ${most / 1024} KB at most. Write less.`);
    await super.writeTextFile(path, this.redact(text), format, options);
  }
}

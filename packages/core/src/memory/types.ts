/** Types of context files and loaded memory. */
import type { FileVersion } from '../platform/files/safe-read.js';

/** The origin of a context file; `later`: found when a tool touched its folder. */
export type MemoryTier = 'global' | 'private' | 'extension' | 'project' | 'later';

export type ImportFormat = 'tree' | 'flat';

/** `context.*` of the settings. */
export interface MemorySettings {
  /** `context.fileName`; absent: GEMINI.md, else AGENTS.md, else CLAUDE.md. */
  fileName?: string | readonly string[];
  importFormat?: ImportFormat;
  /** `context.discoveryMaxDirs`: maximum number of folders searched upwards. */
  maxDirs: number;
  /** `context.memoryBoundaryMarkers`. */
  boundaryMarkers: readonly string[];
  /** `context.loadMemoryFromIncludeDirectories`. */
  loadFromIncludeDirectories?: boolean;
}

/** An existing context file that has not been read yet. */
export interface FoundFile {
  path: string;
  tier: MemoryTier;
  version: FileVersion;
  /** Imports and links must stay in one of these. */
  roots: readonly string[];
  /** Null, or why the file may not lead to this real path. */
  authorize(realPath: string): string | null;
}

export interface MemoryFile {
  path: string;
  tier: MemoryTier;
  /** The file itself, without its imports. */
  bytes: number;
  /** What the model reads, imports included. */
  text: string;
  /** Real paths of all imported files. */
  imports: readonly string[];
}

/** Something that was ignored, and why. */
export interface MemoryProblem {
  path: string;
  line?: number;
  message: string;
  /** The message says which file it is about. */
  namesFile?: true;
}

export interface LoadedMemory {
  /** Global and private files, for the system prompt. */
  userText: string;
  /** Files of extensions and the project, for the first message. */
  projectText: string;
  files: readonly MemoryFile[];
  problems: readonly MemoryProblem[];
}

/** What the other files of this folder hand to each other and to the front ends. */
import type { FileVersion } from '../platform/files/safe-read.js';

/** Where a context file counts; `later`: found when a tool came by. */
export type MemoryTier = 'global' | 'private' | 'extension' | 'project' | 'later';

export type ImportFormat = 'tree' | 'flat';

/** `context.*` of the settings. */
export interface MemorySettings {
  /** `context.fileName`; absent: GEMINI.md, else AGENTS.md, else CLAUDE.md. */
  fileName?: string | readonly string[];
  importFormat?: ImportFormat;
  /** `context.discoveryMaxDirs`: most folders looked at on the way up. */
  maxDirs: number;
  /** `context.memoryBoundaryMarkers`. */
  boundaryMarkers: readonly string[];
  /** `context.loadMemoryFromIncludeDirectories`. */
  loadFromIncludeDirectories?: boolean;
}

/** A context file that is there; nothing of it has been read yet. */
export interface FoundFile {
  path: string;
  tier: MemoryTier;
  version: FileVersion;
  /** Imports and links must stay in one of these. */
  roots: readonly string[];
  /** Null, or why this real path is none that the file may lead to. */
  authorize(realPath: string): string | null;
}

export interface MemoryFile {
  path: string;
  tier: MemoryTier;
  /** Of the file itself, without its imports. */
  bytes: number;
  /** What the model reads, imports included. */
  text: string;
  /** Real paths of all that was imported. */
  imports: readonly string[];
}

/** Something that is left out, and why. */
export interface MemoryProblem {
  path: string;
  line?: number;
  message: string;
}

export interface LoadedMemory {
  /** Global and private files, for the system prompt. */
  userText: string;
  /** Files of extensions and the project, for the first message. */
  projectText: string;
  files: readonly MemoryFile[];
  problems: readonly MemoryProblem[];
}

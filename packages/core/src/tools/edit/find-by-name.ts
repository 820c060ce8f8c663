/** Finds a file that the model named by the end of its path only. */
import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, normalize, sep } from 'node:path';
import { StandardFileSystemService } from '../../platform/files/file-system.js';
import { entriesIn } from '../../platform/files/try-read.js';
import { ALWAYS_SKIPPED_DIRECTORIES } from '../../workspace/file-discovery.js';
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import { resolveToolPath } from '../../workspace/tool-path.js';
import type { EditToolParams } from './params.js';

const MAX_DIRECTORIES = 50;

/**
 * Files below the workspace roots that end with the given relative path, when there is none at the
 * path itself. Empty when the call creates a file, or when the client's file system may hold files that are not
 * on disk. The arguments are not validated yet.
 */
export function findByName(
  host: Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'getWorkspaceContext'> &
    Pick<FileHost, 'getFileService' | 'getFileSystemService'>,
  { file_path, old_string }: EditToolParams,
): string[] {
  if (typeof file_path !== 'string' || old_string === '' || isAbsolute(file_path)) return [];
  if (!(host.getFileSystemService() instanceof StandardFileSystemService)) return [];
  const resolved = resolveToolPath(host, file_path);
  if ('problem' in resolved || existsSync(resolved.path)) return [];
  const wanted = normalize(file_path).replace(/^@/, '');
  const name = basename(wanted);
  if (wanted.startsWith('..') || wanted.startsWith('~') || name === '.') return [];

  const files = host.getFileService();
  const found: string[] = [];
  const queue = [...host.getWorkspaceContext().getDirectories()];
  for (let visited = 0; visited < MAX_DIRECTORIES && visited < queue.length; visited++) {
    const directory = queue[visited] ?? '';
    for (const entry of entriesIn(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        const skipped = ALWAYS_SKIPPED_DIRECTORIES.includes(entry.name) || files.shouldIgnoreDirectory(path);
        if (!skipped) queue.push(path);
      } else if (entry.isFile() && entry.name === name && path.endsWith(sep + wanted)) {
        found.push(path);
      }
    }
  }
  return [...new Set(found)].sort();
}

/** Extracts a `.skill` archive (zip) into an empty folder. */
import { ArchiveError, type ArchiveLimits } from '../../platform/archives/extraction.js';
import { extractZip } from '../../platform/archives/zip.js';
import { SkillInstallError } from './error.js';

const MB = 1024 * 1024;

export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 50 * MB,
  totalBytes: 100 * MB,
  entries: 5_000,
  ratio: 100,
  ratioFromBytes: 5 * MB,
};

/** @throws SkillInstallError; what was extracted before may be left in `into` */
export async function extractArchive(file: string, into: string, limits = ARCHIVE_LIMITS): Promise<void> {
  try {
    await extractZip(file, into, { limits, what: 'skill' });
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new SkillInstallError(error.message, { cause: error });
  }
}

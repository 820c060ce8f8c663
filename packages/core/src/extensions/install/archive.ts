/** Extracts the archive of an extension into an empty folder. */
import { ArchiveError, type ArchiveLimits } from '../../platform/archives/extraction.js';
import { ExtensionInstallError } from './error.js';

const MB = 1024 * 1024;

/** Extensions bring programs for their platform, and node_modules. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 500 * MB,
  totalBytes: 1024 * MB,
  entries: 100_000,
  ratio: 100,
  ratioFromBytes: 20 * MB,
};

/** @throws ExtensionInstallError; what was extracted before may be left in `into` */
export async function extractExtensionArchive(
  file: string,
  into: string,
  limits = ARCHIVE_LIMITS,
): Promise<void> {
  const options = { limits, what: 'extension', allowsLinks: true };
  try {
    if (/\.zip$/i.test(file)) {
      const { extractZip } = await import('../../platform/archives/zip.js');
      await extractZip(file, into, options);
    } else {
      const { extractTar } = await import('../../platform/archives/tar.js');
      await extractTar(file, into, options);
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ExtensionInstallError(error.message, { cause: error });
  }
}

/** Writes the conversation as the model saw it to a file, for `/bug`. */
import { join } from 'node:path';
import { preparePrivateDirectory } from '../../platform/files/private-file.js';
import type { Content } from '../../protocol/messages.js';
import type { RedactValue } from '../recording/redact-record.js';
import { exportHistoryToFile } from './export-markdown.js';

export interface BugReport {
  /** The project's temporary directory, or `<sessionStorageDir>/<project>`. */
  directory: string;
  history: readonly Content[];
  now: () => number;
  redact: RedactValue;
}

/** @returns the file. @throws FileError when it cannot be written */
export function writeBugReport({ directory, history, now, redact }: BugReport): string {
  preparePrivateDirectory(directory);
  const filePath = join(directory, `bug-report-history-${now()}.json`);
  exportHistoryToFile({ history, filePath, redact });
  return filePath;
}

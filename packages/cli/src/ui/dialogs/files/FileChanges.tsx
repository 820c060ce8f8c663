/** What an undo or a rewind does to files, below what went wrong with it. For the inside of a `Question` or `Pager`. */
import { ErrorText } from '../../components/ErrorText.js';
import { paragraphRows } from '../../components/Paragraph.js';
import { ScrollableDiffViewport } from '../../components/ScrollableDiffViewport.js';
import { cleanLine } from '../../text/clean.js';
import { useLook } from '../../use-look.js';
import { changeLines, type FileChange } from './change-lines.js';

export interface FileChangesProps {
  changes: readonly FileChange[];
  cwd: string;
  /** Empty: there is none. */
  problem?: string | undefined;
}

export function FileChanges({ changes, cwd, problem = '' }: FileChangesProps) {
  const look = useLook();
  return (
    <>
      <ErrorText text={problem} />
      <ScrollableDiffViewport
        lines={changes.flatMap((change) => changeLines(look, change, cwd))}
        above={paragraphRows(cleanLine(problem), look.width)}
      />
    </>
  );
}

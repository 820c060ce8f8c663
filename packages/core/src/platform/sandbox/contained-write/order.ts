/** What is passed between the program and the helper that writes a file inside the sandbox. */
import type { WriteOptions } from '../../files/atomic-write.js';
import type { FileProblem } from '../../files/file-error.js';

/** The first line on stdin, as JSON; the content of the file follows. */
export interface WriteOrder {
  path: string;
  /** The real path that was authorized; the file must still be there. */
  realPath: string;
  expect: WriteOptions['expect'];
}

/** The output, as JSON. */
export type WriteAnswer = { ok: true } | { ok: false; problem: FileProblem; message: string };

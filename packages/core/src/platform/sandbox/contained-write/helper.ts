/** Runs inside the sandbox: replaces one file as ordered on stdin. The build makes it a file of its own. */
import { readFileSync } from 'node:fs';
import { replaceFile } from '../../files/atomic-write.js';
import { toFileError } from '../../files/file-error.js';
import type { WriteAnswer, WriteOrder } from './order.js';

const input = readFileSync(0);
const end = input.indexOf('\n');
const order = JSON.parse(input.toString('utf8', 0, end)) as WriteOrder;
process.stdout.write(JSON.stringify(write(order, input.subarray(end + 1))));

function write({ path, realPath, expect }: WriteOrder, bytes: Buffer): WriteAnswer {
  const authorize = (found: string) => (found === realPath ? null : `${path} leads to another file now.`);
  try {
    replaceFile(path, bytes, { authorize, ...(expect !== undefined && { expect }) });
    return { ok: true };
  } catch (error) {
    const { problem, message } = toFileError(error, path);
    return { ok: false, problem, message };
  }
}

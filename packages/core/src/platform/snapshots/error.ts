/** Why a snapshot could not be made, kept or read. Never hidden: the caller decides, the user is told. */
import { codeOf, messageOf, UserError } from '../../base/errors.js';

export type SnapshotReason =
  /** The bound of the store or the disk leaves no room. */
  | 'full'
  /** What the store holds does not make sense. */
  | 'corrupt'
  /** The store cannot be written: rights, or a disk that is read-only. */
  | 'unwritable'
  /** Another process holds the store. */
  | 'locked'
  | 'unknown-snapshot'
  /** The worker is gone, or the service was closed. */
  | 'unavailable'
  | 'io';

export class SnapshotError extends UserError {
  override readonly name = 'SnapshotError';
  constructor(
    readonly reason: SnapshotReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, { code: `snapshot_${reason}`, cause });
  }
}

const REASONS: Readonly<Record<string, SnapshotReason>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'unwritable',
  EACCES: 'unwritable',
  EPERM: 'unwritable',
};

/** @param doing what failed, as in "Cannot <doing>". */
export function toSnapshotError(error: unknown, doing: string): SnapshotError {
  if (error instanceof SnapshotError) return error;
  const reason = REASONS[codeOf(error) ?? ''] ?? 'io';
  return new SnapshotError(reason, `Cannot ${doing}: ${messageOf(error)}`, error);
}

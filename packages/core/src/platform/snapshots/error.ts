/** Errors of snapshots. They are never hidden: the caller decides, and the user is told. */
import { codeOf, messageOf, UserError } from '../../base/errors.js';

export type SnapshotReason =
  /** The store has reached its size limit, or the disk is full. */
  | 'full'
  /** The store is damaged. */
  | 'corrupt'
  /** The store cannot be written: no permission, or a read-only disk. */
  | 'unwritable'
  /** Another process holds the store. */
  | 'locked'
  | 'unknown-snapshot'
  /** The worker has ended, or the service was closed. */
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

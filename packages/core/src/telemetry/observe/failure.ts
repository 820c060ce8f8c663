/** Describes an error of any kind for telemetry. */
import { messageOf } from '../../base/errors.js';
import { objectOf } from '../../base/objects.js';

export interface Failure {
  message: string;
  type: string;
  /** HTTP status or system code. */
  status?: number | string;
}

export function describeFailure(error: unknown): Failure {
  const { status, code } = objectOf(error);
  return {
    message: messageOf(error),
    type: error instanceof Error && error.name ? error.name : 'Error',
    status: [status, code].find((value) => typeof value === 'number' || typeof value === 'string'),
  };
}

/** Whether bubblewrap is there, and isolates what it should. */
import { existsSync } from 'node:fs';
import { messageOf } from '../../../base/errors.js';
import type { Variables } from '../../environment.js';
import { findProgram } from '../../process/find-program.js';
import type { ProbeFailure } from './isolation-probe.js';
import { NO_BWRAP, refusalOf, UNKNOWN_PROCESSOR } from './refusals.js';
import { seccompFilter } from './seccomp.js';

export interface BwrapOptions {
  /** Path of bubblewrap; default: looked for. */
  bwrap?: string;
  /** Of the user: their home, their programs, where temporary files go. */
  variables: Variables;
  /** For files of our own: the filter, empty places, the ledger of placeholders. */
  stateDirectory?: string;
}

export function findBwrap({ bwrap, variables }: BwrapOptions): string | undefined {
  if (bwrap === undefined) return findProgram('bwrap', variables['PATH']);
  return existsSync(bwrap) ? bwrap : undefined;
}

/** @param change what is tried differently after a failure; false: there is nothing else to try */
export async function refusalOfBwrap(
  options: BwrapOptions,
  {
    unixSockets,
    probe,
    change,
  }: {
    unixSockets: boolean;
    probe: () => Promise<ProbeFailure | undefined>;
    change: () => boolean;
  },
) {
  try {
    if (!findBwrap(options)) return NO_BWRAP;
    if (!seccompFilter(process.arch, { unixSockets })) return UNKNOWN_PROCESSOR;
    let failure = await probe();
    if (failure && change()) failure = await probe();
    return failure && refusalOf(failure);
  } catch (error) {
    return refusalOf({ reason: 'it could not be tried out', detail: messageOf(error) });
  }
}

/** Finds bubblewrap and tests whether it isolates commands. */
import { existsSync } from 'node:fs';
import { messageOf } from '../../../base/errors.js';
import type { Variables } from '../../environment.js';
import { findProgram } from '../../process/find-program.js';
import type { ProbeFailure } from './isolation-probe.js';
import { NO_BWRAP, refusalOf, UNKNOWN_PROCESSOR } from './refusals.js';
import { seccompFilter } from './seccomp.js';

export interface BwrapOptions {
  /** Path of bubblewrap; default: found on PATH. */
  bwrap?: string;
  /** The user's environment: HOME, PATH, TMPDIR. */
  variables: Variables;
  /** For our own files: filters, the empty file and directory, ledgers of placeholders. */
  stateDirectory?: string;
}

export function findBwrap({ bwrap, variables }: BwrapOptions): string | undefined {
  if (bwrap === undefined) return findProgram('bwrap', variables['PATH']);
  return existsSync(bwrap) ? bwrap : undefined;
}

/** @param change switches to another setup after a failure; returns false when there is none */
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

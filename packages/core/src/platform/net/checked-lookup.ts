/** Resolves host names for sockets, and refuses those that lead to addresses not on the public internet. */
import { lookup as resolveName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { addressProblem } from './address-guard.js';
import { WebRequestError } from './web-request-error.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface NameCheckOptions {
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>;
  /** Addresses that count as public. Only for tests; never set from settings or the environment. */
  allow?: (address: string) => boolean;
}

export class NameCheck {
  constructor(private readonly options: NameCheckOptions = {}) {}

  /** Called by the socket, which connects to the very addresses checked here: a second DNS answer has no effect. */
  readonly lookup: LookupFunction = (hostname, { all }, callback) => {
    this.resolve(hostname).then(
      (addresses) => {
        const refusal = this.refusalOf(hostname, addresses);
        const [first] = addresses;
        if (refusal || !first) {
          const error = refusal
            ? new WebRequestError('blocked', refusal)
            : new WebRequestError('network', `${hostname}: no such host`);
          callback(error, '', 0);
        } else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };

  resolve(hostname: string): Promise<ResolvedAddress[]> {
    return this.options.resolve?.(hostname) ?? resolveName(hostname, { all: true });
  }

  /** One private address is enough to refuse: the name is an attack, or belongs to a private network. */
  refusalOf(hostname: string, addresses: readonly ResolvedAddress[]): string | undefined {
    for (const { address } of addresses) {
      const problem = this.options.allow?.(address) ? undefined : addressProblem(address);
      if (problem) return `${hostname} leads to ${address}, which is ${problem}, not on the public internet.`;
    }
    return undefined;
  }
}

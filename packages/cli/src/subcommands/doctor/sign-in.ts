/** Checks how the user is signed in, without asking a server. */
import { OFFLINE_MODEL } from '@gemini-cli/core';
import { type Check, failure, ok, skipped, warning } from './check.js';

export const signIn: Check = {
  id: 'sign-in',
  title: 'Sign-in',
  async run(facts) {
    if (facts.model === OFFLINE_MODEL) return skipped('the built-in guide needs no sign-in');
    const { type, source, account, problems, storage } = await facts.auth();
    const details = [
      type && source ? `${type}, from ${source}` : (type ?? 'not signed in'),
      ...(account ? [`account ${account}`] : []),
      `secrets are kept in the ${storage.place}${storage.place === 'keychain' ? '' : ` (keychain: ${storage.keychain.state})`}`,
    ];
    if (problems.length === 0) return ok(...details);
    const remedy = problems.join(' ');
    return source ? warning(details, remedy) : failure(details, remedy);
  },
};

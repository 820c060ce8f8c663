/** A sign-in that uses the client registered earlier. */
import { createLog } from '../../platform/log.js';
import { OAuthError } from '../../platform/oauth/oauth-error.js';
import type { OAuthSignIn, SignedIn } from '../../platform/oauth/sign-in.js';
import type { OAuthRequest, RegisteredClient } from '../../platform/oauth/types.js';
import type { ClientKey, ClientStorage } from './client-storage.js';

const log = createLog('mcp-oauth');

export class KeepingSignIn implements Pick<OAuthSignIn, 'run'> {
  constructor(
    private readonly signIn: OAuthSignIn,
    private readonly clients: ClientStorage,
    private readonly owner: Pick<ClientKey, 'serverName' | 'origin'>,
  ) {}

  async run(request: OAuthRequest, signal: AbortSignal): Promise<SignedIn> {
    const { registrationUrl } = request.server;
    if (request.client || request.redirectUri || !registrationUrl) return this.signIn.run(request, signal);
    const key = { ...this.owner, registrationUrl };
    const registered = await this.clients.load(key);
    try {
      const signedIn = await this.signIn.run({ ...request, ...(registered && { registered }) }, signal);
      if (signedIn.client.clientId !== registered?.client.clientId) await this.keep(key, signedIn);
      return signedIn;
    } catch (error) {
      // The server may have forgotten it, which it says in the browser only: the next attempt registers a new one.
      const mayBeForgotten = error instanceof OAuthError && error.problem !== 'user_needed';
      if (registered && mayBeForgotten) await this.forget(key);
      throw error;
    }
  }

  private async keep(key: ClientKey, { client, redirectUri }: RegisteredClient): Promise<void> {
    await this.clients
      .save(key, { client, redirectUri })
      .catch((error: unknown) => log.warn('client not saved', error));
  }

  private async forget(key: ClientKey): Promise<void> {
    await this.clients.remove(key).catch((error: unknown) => log.warn('client not removed', error));
  }
}

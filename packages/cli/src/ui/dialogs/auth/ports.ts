/** What signing in needs from the engine; tests pass their own. */
import {
  type FrontEndModule,
  type LoadedSettings,
  loadFrontEnd,
  setting,
  type Variables,
} from '@gemini-cli/core';

export type AuthType = ReturnType<FrontEndModule['offeredAuthTypes']>[number];
export type LocalServer = Awaited<ReturnType<FrontEndModule['findLocalServers']>>[number];
export type SignInPrompts = NonNullable<Parameters<FrontEndModule['signIn']>[0]['prompts']>;

export interface AuthPorts {
  env: Variables;
  /** The sign-in methods that can be used here. */
  offered(): Promise<{ types: readonly AuthType[]; preselected: AuthType | undefined }>;
  /** What is missing for this method; undefined: nothing. */
  problemOf(type: AuthType): Promise<string | undefined>;
  saveKey(key: string): Promise<'keychain' | 'file'>;
  signInWithGoogle(prompts: SignInPrompts, signal: AbortSignal): Promise<void>;
  findServers(signal: AbortSignal): Promise<readonly LocalServer[]>;
}

export function enginePorts(settings: LoadedSettings, env: Variables): AuthPorts {
  const enforced = () => setting(settings.merged, 'security.auth.enforcedType');
  return {
    env,
    async offered() {
      const { offeredAuthTypes, preselectedAuthType } = await loadFrontEnd();
      return { types: offeredAuthTypes(env, enforced()), preselected: preselectedAuthType(env) };
    },
    async problemOf(type) {
      const { reportAuth } = await loadFrontEnd();
      // Exactly this type, as if it were enforced: no other credentials may take its place.
      const { problems, source } = await reportAuth({ env, selectedType: type, enforcedType: type });
      return source === undefined ? (problems[0] ?? 'Something is missing for it.') : undefined;
    },
    async saveKey(key) {
      const { SecretStore, saveApiKey } = await loadFrontEnd();
      return saveApiKey(new SecretStore({ env }), key);
    },
    async signInWithGoogle(prompts, signal) {
      const { signIn } = await loadFrontEnd();
      await signIn({ env, prompts, signal });
    },
    async findServers(signal) {
      const { findLocalServers, HttpClient } = await loadFrontEnd();
      const http = new HttpClient({}, env);
      try {
        return await findLocalServers({ env, providers: settings.merged.model?.providers, http, signal });
      } finally {
        http.close();
      }
    },
  };
}

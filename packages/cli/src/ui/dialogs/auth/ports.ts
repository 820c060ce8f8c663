/** What signing in needs from the engine; tests pass their own. */
import { join, sep } from 'node:path';
import {
  type FrontEndModule,
  globalGeminiDir,
  type LoadedSettings,
  loadFrontEnd,
  setting,
  type Variables,
} from '@gemini-cli/core';
import type { DialogServices } from '../dialog.js';

export type AuthType = ReturnType<FrontEndModule['offeredAuthTypes']>[number];
export type LocalServer = Awaited<ReturnType<FrontEndModule['findLocalServers']>>[number];
export type KeyCheck = Awaited<ReturnType<FrontEndModule['checkKey']>>;
export type SignInPrompts = NonNullable<Parameters<FrontEndModule['signIn']>[0]['prompts']>;

type Http = InstanceType<FrontEndModule['HttpClient']>;
type EngineParts = Pick<DialogServices, 'settings' | 'env' | 'ownEnv' | 'proxy'>;

export interface AuthPorts {
  env: Variables;
  /** The sign-in methods that can be used here. */
  offered(): Promise<{ types: readonly AuthType[]; preselected: AuthType | undefined }>;
  /** What is missing for this method; undefined: nothing. */
  problemOf(type: AuthType): Promise<string | undefined>;
  /** Where the next key would be saved, in words. */
  storage(): Promise<string>;
  /** Asks the service for its models. @param service `gemini`, or the id of a provider */
  checkKey(service: string, key: string): Promise<KeyCheck>;
  /** @returns where it was saved, in words */
  saveKey(service: string, key: string): Promise<string>;
  /** Providers whose key is saved. */
  savedKeys(): Promise<readonly string[]>;
  modelsOf(
    provider: string,
    signal: AbortSignal,
  ): Promise<{ models: string[]; problem?: string | undefined }>;
  signInWithGoogle(prompts: SignInPrompts, signal: AbortSignal): Promise<void>;
  findServers(signal: AbortSignal): Promise<readonly LocalServer[]>;
}

export function enginePorts({ settings, env, ownEnv, proxy }: EngineParts): AuthPorts {
  const enforced = () => setting(settings.merged, 'security.auth.enforcedType');
  const withHttp = async <T>(work: (http: Http) => Promise<T>, variables = env): Promise<T> => {
    const { HttpClient } = await loadFrontEnd();
    const http = new HttpClient({}, { variables, proxy });
    try {
      return await work(http);
    } finally {
      http.close();
    }
  };
  const search = () => ({ env, providers: ownProviders(settings) });
  /** For keys of the user. They are kept where the engine looks for them. */
  const ownSearch = async () => {
    const { SecretStore } = await loadFrontEnd();
    return { ...search(), env: ownEnv, secrets: new SecretStore({ env }) };
  };
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
    async storage() {
      const { SecretStore } = await loadFrontEnd();
      return placeName((await new SecretStore({ env }).describe()).place, env);
    },
    async checkKey(service, key) {
      const { checkKey, keyToCheck } = await loadFrontEnd();
      const asked = keyToCheck(service, key, await ownSearch());
      return withHttp((http) => checkKey(asked, http, new AbortController().signal), ownEnv);
    },
    async saveKey(service, key) {
      const { SecretStore, saveApiKey, saveProviderKey } = await loadFrontEnd();
      const place =
        service === 'gemini'
          ? await saveApiKey(new SecretStore({ env }), key)
          : await saveProviderKey(service, key, await ownSearch());
      return placeName(place, env);
    },
    async savedKeys() {
      return (await loadFrontEnd()).savedKeyProviders(await ownSearch());
    },
    async modelsOf(provider, signal) {
      const { listProviderModels, providerIds } = await loadFrontEnd();
      const unasked = providerIds(search().providers).filter((id) => id !== provider);
      const [found] = await withHttp((http) => listProviderModels({ ...search(), unasked, http, signal }));
      return { models: (found?.models ?? []).map(({ id }) => id), problem: found?.problem };
    },
    async signInWithGoogle(prompts, signal) {
      const { signIn } = await loadFrontEnd();
      await signIn({ env, proxy, prompts, signal });
    },
    async findServers(signal) {
      const { findLocalServers } = await loadFrontEnd();
      const { providers } = settings.merged.model ?? {};
      return withHttp((http) => findLocalServers({ env, providers, http, signal }));
    },
  };
}

/** Without what a project's settings say: it must not choose the address that a pasted key is sent to. */
function ownProviders(settings: LoadedSettings) {
  const ofProject = Object.keys(settings.layer('workspace').model?.providers ?? {});
  const all = Object.entries(settings.merged.model?.providers ?? {});
  return Object.fromEntries(all.filter(([id]) => !ofProject.includes(id)));
}

function placeName(place: 'keychain' | 'file', env: Variables): string {
  if (place === 'keychain') return 'the system keychain';
  const path = join(globalGeminiDir(env), 'gemini-credentials.json');
  const home = env['HOME'];
  return home && path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}

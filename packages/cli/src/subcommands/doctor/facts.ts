/** Gathers settings, trust and environment as a start of the program would, mistakes included. */
import {
  DEFAULT_MODEL,
  type Diagnostics,
  decideTrust,
  findEnvFile,
  geminiHome,
  isTrustOn,
  LoadedSettings,
  Redactor,
  TrustedFolders,
} from '@gemini-cli/core';
import type { Facts } from './check.js';

export interface FactsRequest {
  engine: Diagnostics;
  env: NodeJS.ProcessEnv;
  cwd: string;
  isOffline: boolean;
}

/** In the order of a start (`readFolder` of core), but mistakes do not end it and process.env is not changed. */
export async function gatherFacts({ engine, env, cwd, isOffline }: FactsRequest): Promise<Facts> {
  const settings = LoadedSettings.read({ cwd, env, tolerant: true });
  const { trustedFolders } = settings.merged;
  const folders = TrustedFolders.load(env, { tolerant: true, trustedFolders });
  const trust = decideTrust({
    folder: cwd,
    env,
    skipTrust: false,
    featureEnabled: isTrustOn(settings, env),
    folders,
  });
  const { trusted } = trust;
  const envFile = findEnvFile({ cwd, env, settings, folders, trusted, ignoreLocal: false });
  const completeEnv = { ...env, ...envFile.variables };
  const redactor = new Redactor();
  redactor.addEnvironment(completeEnv);
  settings.activate({ trusted, env: completeEnv });
  await settings.loadExtraFiles();
  const { selectedType, enforcedType } = settings.merged.security?.auth ?? {};
  let auth: ReturnType<Diagnostics['reportAuth']> | undefined;
  return {
    version: __VERSION__,
    cwd,
    home: geminiHome(env),
    env: completeEnv,
    isOffline,
    engine,
    redactor,
    settings,
    folders,
    trust,
    envFile,
    model: engine.resolveModel(completeEnv['GEMINI_MODEL'] || settings.merged.model?.name || DEFAULT_MODEL),
    auth() {
      auth ??= engine.reportAuth({ env: completeEnv, selectedType, enforcedType });
      return auth;
    },
  };
}

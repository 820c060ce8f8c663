/** Checks with one cheap request that the model answers. */
import { codeOf, OFFLINE_MODEL, toErrorInfo } from '@gemini-cli/core';
import { type Check, type CheckResult, type Facts, failure, ok, skipped } from './check.js';

const LIMIT_MS = 5000;

export const model: Check = {
  id: 'model',
  title: 'Model',
  async run(facts) {
    const name = facts.model;
    if (name === OFFLINE_MODEL) return ok('the built-in guide; it needs no server');
    if (facts.isOffline) return skipped(`${name} was not asked (--offline)`);
    if (!(await facts.auth()).source) return skipped(`${name} was not asked: not signed in`);
    return ask(name, facts);
  },
};

async function ask(name: string, facts: Facts): Promise<CheckResult> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const started = performance.now();
  try {
    await Promise.race([countTokens(name, facts, limit), rejection(limit)]);
    return ok(`${name} answered in ${Math.round(performance.now() - started)} ms`);
  } catch (error) {
    if (limit.aborted) {
      return failure([`${name} gave no answer within ${LIMIT_MS / 1000} s`], remedyFor(undefined));
    }
    return failure([`${name}: ${toErrorInfo(error).message}`], remedyFor(error));
  }
}

async function countTokens(name: string, facts: Facts, signal: AbortSignal): Promise<void> {
  const { engine, env, version, redactor, settings } = facts;
  const { proxy } = settings.merged.general ?? {};
  const http = new engine.HttpClient({}, { variables: env, proxy });
  try {
    const models = engine.createModelPool({
      env,
      proxy,
      version,
      http,
      redactor,
      sessionId: 'doctor',
      auth: settings.merged.security?.auth,
      providers: settings.merged.model?.providers,
    });
    const message = { role: 'user' as const, origin: 'prompt' as const, parts: [{ text: 'hello' }] };
    const request = { model: name, messages: [message], role: 'doctor', promptId: 'doctor' };
    await models.countTokens(request, signal);
  } finally {
    http.close();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function remedyFor(error: unknown): string {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 401 || status === 403) return 'Check the key or sign in again; the account may lack access.';
  if (status === 400) return 'Check the key: the server refused the request.';
  if (status === 404)
    return 'Check the name of the model (--model, GEMINI_MODEL or model.name in the settings).';
  if (status === 429) return 'The quota is used up for now; try again later or use another model.';
  if (typeof status === 'number') return 'The server has a problem; try again later.';
  const code = codeOf(error);
  if (code?.startsWith('CERT_') || code?.includes('SELF_SIGNED') || code?.startsWith('UNABLE_TO_')) {
    return 'The certificate is not trusted: behind a company proxy set NODE_EXTRA_CA_CERTS to its certificate.';
  }
  return 'Check the network, the proxy variables and GOOGLE_GEMINI_BASE_URL. Without a network: --model offline.';
}

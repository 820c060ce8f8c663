/** Where the models are served: the Gemini API, a gateway in its place, or Vertex. */
import { projectFromEnvironment } from '../auth/project.js';
import { parseServiceAddress } from '../wire/service-address.js';
import { vertexTarget, vertexUrl } from './vertex.js';

/** The address of a method of a model; the method may carry a query. */
export type ModelAddress = (model: string, method: string) => URL;

const DEFAULT_ADDRESS = 'https://generativelanguage.googleapis.com';

export function geminiAddress(env: NodeJS.ProcessEnv): ModelAddress {
  const base = geminiBase(env);
  return (model, method) => new URL(`${base.pathname}/models/${encodeURIComponent(model)}:${method}`, base);
}

/** Host and version; `/models` lists the models. */
export function geminiBase(env: NodeJS.ProcessEnv): URL {
  const base = parseServiceAddress(
    'GOOGLE_GEMINI_BASE_URL',
    env['GOOGLE_GEMINI_BASE_URL']?.trim() || DEFAULT_ADDRESS,
  );
  const version = env['GOOGLE_GENAI_API_VERSION']?.trim() || 'v1beta';
  return new URL(`${base.pathname.replace(/\/+$/, '')}/${version}`, base);
}

export function vertexAddress(env: NodeJS.ProcessEnv): ModelAddress {
  const target = vertexTarget(env, projectFromEnvironment(env));
  return (model, method) => vertexUrl(target, model, method);
}

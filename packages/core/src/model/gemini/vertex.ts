/** The address of Vertex AI: by location, or global (express, with a key). */
import { FatalAuthenticationError } from '../../base/errors.js';
import { parseServiceAddress } from '../wire/service-address.js';

export interface VertexTarget {
  /** Scheme, host and path prefix, without the API version. */
  baseUrl: URL;
  apiVersion: string;
  /** Between the version and `/models/…`. */
  resource: string;
}

const PUBLISHER = 'publishers/google';

/** @param project already checked; absent with a key. */
export function vertexTarget(env: NodeJS.ProcessEnv, project: string | undefined): VertexTarget {
  const apiVersion = env['GOOGLE_GENAI_API_VERSION']?.trim() || 'v1beta1';
  const override = env['GOOGLE_VERTEX_BASE_URL']?.trim();
  const at = (address: string) =>
    override ? parseServiceAddress('GOOGLE_VERTEX_BASE_URL', override) : new URL(address);
  if (env['GOOGLE_API_KEY']?.trim() || !project) {
    return { baseUrl: at('https://aiplatform.googleapis.com'), apiVersion, resource: PUBLISHER };
  }
  const location = checkedLocation(env['GOOGLE_CLOUD_LOCATION']?.trim() ?? '');
  const resource = `projects/${project}/locations/${location}/${PUBLISHER}`;
  return { baseUrl: at(addressOf(location)), apiVersion, resource };
}

/** `method` may carry a query. */
export function vertexUrl(
  { baseUrl, apiVersion, resource }: VertexTarget,
  model: string,
  method: string,
): URL {
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  return new URL(
    `${prefix}/${apiVersion}/${resource}/models/${encodeURIComponent(model)}:${method}`,
    baseUrl,
  );
}

function addressOf(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

/** It becomes part of the host name: `evil.example/` would send the token there. */
function checkedLocation(location: string): string {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(location)) return location;
  throw new FatalAuthenticationError(
    `GOOGLE_CLOUD_LOCATION is "${location}"; a location looks like "us-central1" or "global".`,
  );
}

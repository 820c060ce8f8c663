/** What a client may supply with `authenticate`, checked. */
import { isObject } from '@gemini-cli/core';
import { CallerError } from './errors.js';

export interface Credentials {
  apiKey?: string;
  baseUrl?: string;
  headers?: Record<string, string>;
}

/** @throws CallerError for malformed ones */
export function credentialsIn(methodId: string, meta: unknown): Credentials {
  if (meta === undefined || meta === null) return {};
  if (!isObject(meta)) throw new CallerError('_meta must be an object.');
  if (methodId === 'gemini-api-key') return keyIn(meta['api-key']);
  return methodId === 'gateway' ? gatewayIn(meta['gateway']) : {};
}

function keyIn(key: unknown): Credentials {
  if (key === undefined) return {};
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key.trim()))
    throw new CallerError('_meta["api-key"] must be a key: a string of visible ASCII characters.');
  return { apiKey: key.trim() };
}

function gatewayIn(gateway: unknown): Credentials {
  if (gateway === undefined) return {};
  if (!isObject(gateway)) throw new CallerError('_meta.gateway must be an object {baseUrl?, headers?}.');
  const { baseUrl, headers } = gateway;
  const isUrl = typeof baseUrl === 'string' && /^https?:/i.test(baseUrl) && URL.canParse(baseUrl);
  if (baseUrl !== undefined && !isUrl)
    throw new CallerError('_meta.gateway.baseUrl must be an http(s) address.');
  if (headers !== undefined && !isObject(headers))
    throw new CallerError('_meta.gateway.headers must be an object of strings.');
  return {
    ...(typeof baseUrl === 'string' && { baseUrl }),
    ...(headers && { headers: Object.fromEntries(Object.entries(headers).map(checkedHeader)) }),
  };
}

/** All headers share one variable, so a value must not look like the next header. */
function checkedHeader([name, value]: [string, unknown]): [string, string] {
  const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  if (!isName || typeof value !== 'string' || /[\u0000-\u001f\u007f]|,\s*[^,:\s]+\s*:/.test(value))
    throw new CallerError(`_meta.gateway.headers: "${name}" cannot be sent as a header.`);
  return [name, value];
}

/** OAuth fields of an agent file, in both spellings. */
import { type Check, list, text } from './shape.js';

const FIELDS: Readonly<Record<string, Check>> = {
  client_id: text(),
  client_secret: text(),
  scopes: list(text()),
  authorization_url: text(),
  token_url: text(),
  issuer: text(),
  audiences: list(text()),
  redirect_uri: text(),
  token_param_name: text(),
  registration_url: text(),
};

export const oauthFields: Readonly<Record<string, Check>> = {
  ...FIELDS,
  ...Object.fromEntries(Object.entries(FIELDS).map(([key, check]) => [toCamelCase(key), check])),
};

export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

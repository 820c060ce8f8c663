/** The header of a remote agent: its checks, and the definition it becomes. */
import { isObject } from '../../base/objects.js';
import type { AgentSource, RemoteAgentAuth, RemoteAgentDefinition } from '../types.js';
import type { FieldIssue } from './issue.js';
import { agentName, ONE_TEXT } from './local-fields.js';
import { oauthFields, toSnakeCase } from './oauth-fields.js';
import { type Check, list, objectWith, oneOf, text } from './shape.js';

const AUTH: Readonly<Record<string, Check>> = {
  apiKey: objectWith({ type: text(), key: text({ nonEmpty: true }), name: text() }, { required: ['key'] }),
  http: (value, field) => [
    ...HTTP(value, field),
    ...(isObject(value) && typeof value['scheme'] === 'string' ? missingCredentials(value, field) : []),
  ],
  'google-credentials': objectWith({ type: text(), scopes: list(text()) }),
  oauth: objectWith({ type: text(), ...oauthFields }),
};

const HTTP = objectWith(
  {
    type: text(),
    scheme: text({ nonEmpty: true }),
    token: text(),
    username: text(),
    password: text(),
    value: text(),
  },
  { required: ['scheme'] },
);

function missingCredentials(value: Readonly<Record<string, unknown>>, field: string): FieldIssue[] {
  const scheme = String(value['scheme']).toLowerCase();
  if (value['value'] !== undefined) return [];
  const needed = scheme === 'bearer' ? ['token'] : scheme === 'basic' ? ['username', 'password'] : ['value'];
  return needed
    .filter((key) => value[key] === undefined)
    .map((key) => ({
      field: `${field}.${key}`,
      message: 'Required',
      cure: `Add a line "${key}: $VARIABLE".`,
    }));
}

const auth: Check = (value, field) => {
  if (!isObject(value)) return objectWith({})(value, field);
  const type = value['type'];
  const check = typeof type === 'string' && Object.hasOwn(AUTH, type) ? AUTH[type] : undefined;
  if (check) return check(value, field);
  const names = Object.keys(AUTH);
  const message = `Invalid discriminator value. Expected ${names.map((name) => `'${name}'`).join(' | ')}`;
  return [{ field: `${field}.type`, message, cure: `Write one of: ${names.join(', ')}.` }];
};

const cardUrl: Check = (value, field) => {
  const wrong = text({ nonEmpty: true })(value, field);
  if (wrong.length > 0 || isWebAddress(String(value))) return wrong;
  return [{ field, message: 'Invalid url', cure: 'Write an address that starts with https://.' }];
};

const cardJson: Check = (value, field) => {
  const wrong = text({ nonEmpty: true })(value, field);
  if (wrong.length > 0 || isJsonObject(String(value))) return wrong;
  return [{ field, message: 'Invalid JSON', cure: 'Write the whole card as one JSON object, after "|".' }];
};

const REMOTE = objectWith(
  {
    kind: oneOf('remote'),
    name: agentName,
    description: text(),
    display_name: text(),
    auth,
    agent_card_url: cardUrl,
    agent_card_json: cardJson,
  },
  {
    required: ['kind', 'name'],
    examples: { kind: 'remote' },
    instead: {
      displayName: 'display_name',
      agentCardUrl: 'agent_card_url',
      agentCardJson: 'agent_card_json',
    },
  },
);

export function checkRemote(data: unknown, field = ''): FieldIssue[] {
  const issues = REMOTE(data, field);
  if (!isObject(data)) return issues;
  const given = ['agent_card_url', 'agent_card_json'].filter((key) => data[key] !== undefined);
  if (given.length === 1) return issues;
  const message = 'Exactly one of agent_card_url and agent_card_json is required';
  const cure = given.length === 0 ? 'Add "agent_card_url: https://…".' : 'Remove one of them.';
  return [...issues, { field, message, cure }];
}

/** @param data a header without issues */
export function toRemoteDefinition(
  data: Readonly<Record<string, unknown>>,
  source: AgentSource,
): RemoteAgentDefinition {
  const field = (key: string) => data[key] as string | undefined;
  const displayName = field('display_name');
  const agentCardUrl = field('agent_card_url');
  const agentCardJson = field('agent_card_json');
  return {
    kind: 'remote',
    name: field('name') ?? '',
    ...(displayName && { displayName }),
    description: field('description')?.trim() ?? '',
    source,
    inputConfig: ONE_TEXT,
    ...(agentCardUrl && { agentCardUrl }),
    ...(agentCardJson && { agentCardJson }),
    ...(isObject(data['auth']) && { auth: toAuth(data['auth']) }),
  };
}

/** Checked before; both spellings of OAuth fields become the contract's. */
function toAuth(fields: Record<string, unknown>): RemoteAgentAuth {
  const entries = Object.entries(fields);
  const spelled =
    fields['type'] === 'oauth' ? entries.map(([key, value]) => [toSnakeCase(key), value]) : entries;
  return Object.fromEntries(spelled) as RemoteAgentAuth;
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isJsonObject(value: string): boolean {
  try {
    return isObject(JSON.parse(value));
  } catch {
    return false;
  }
}

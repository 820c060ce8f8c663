/** Reads an agent card: JSON of protocol 0.3, of 1.0, or of both. Everything in it is the server's word. */
import { isObject, objectOf } from '../../../base/objects.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import { type SecurityScheme, securitySchemesIn } from './security-schemes.js';

export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
export type ProtocolVersion = '0.3' | '1.0';

export interface AgentInterface {
  /** As written: gRPC addresses have no scheme. */
  url: string;
  binding: Binding;
  version: ProtocolVersion;
  tenant: string;
}

export interface RemoteCard {
  name: string;
  description: string;
  skills: { name: string; description: string }[];
  /** In the order that the agent prefers. */
  interfaces: AgentInterface[];
  streaming: boolean;
  schemes: SecurityScheme[];
  /** It answers only requests with credentials. */
  needsCredentials: boolean;
}

const MAX_SKILLS = 100;
const MAX_INTERFACES = 20;

/** @throws RemoteAgentError when it is not a card, or names no interface that we speak */
export function parseCard(text: string): RemoteCard {
  const card = objectIn(text);
  const list = (name: string) => (Array.isArray(card[name]) ? card[name] : []);
  const interfaces = interfacesOf(card);
  if (interfaces.length === 0) {
    throw new RemoteAgentError('card', 'The card names no JSON-RPC, HTTP+JSON or gRPC interface.');
  }
  const requirements = [...list('security'), ...list('securityRequirements')];
  return {
    name: textAt(card, 'name'),
    description: textAt(card, 'description'),
    skills: list('skills')
      .slice(0, MAX_SKILLS)
      .map(objectOf)
      .map((skill) => ({ name: textAt(skill, 'name', 'id'), description: textAt(skill, 'description') })),
    interfaces,
    streaming: objectOf(card['capabilities'])['streaming'] === true,
    schemes: securitySchemesIn(card),
    // An empty requirement means that the agent also works without.
    needsCredentials:
      requirements.length > 0 && requirements.every((item) => Object.keys(objectOf(item)).length > 0),
  };
}

function objectIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RemoteAgentError('card', 'The card is not JSON.');
  }
  if (isObject(value)) return value;
  throw new RemoteAgentError('card', 'The card is not a JSON object.');
}

/**
 * The newer list has all interfaces, also where the older fields are there, too. Its name and that of its fields have
 * an older and a newer spelling, which servers mix.
 */
function interfacesOf(card: Record<string, unknown>): AgentInterface[] {
  const [newer, older] = [card['supportedInterfaces'], card['additionalInterfaces']].map((list) =>
    Array.isArray(list) ? list.slice(0, MAX_INTERFACES).map(objectOf) : [],
  );
  const cardVersion = textAt(card, 'protocolVersion');
  if (newer && newer.length > 0) return usable(newer, cardVersion || '1.0');
  const primary = { url: card['url'], transport: card['preferredTransport'] ?? 'JSONRPC' };
  return usable([primary, ...(older ?? [])], cardVersion || '0.3');
}

/** Of several versions over one transport, 1.0 comes first. */
function usable(list: readonly Record<string, unknown>[], cardVersion: string): AgentInterface[] {
  const known = list.flatMap((entry) => {
    const binding = bindingOf(textAt(entry, 'protocolBinding', 'transport'));
    const version = versionOf(textAt(entry, 'protocolVersion') || cardVersion);
    const url = textAt(entry, 'url');
    return binding && version && url ? [{ url, binding, version, tenant: textAt(entry, 'tenant') }] : [];
  });
  const order = [...new Set(known.map(({ binding }) => binding))];
  return known.sort(
    (a, b) =>
      order.indexOf(a.binding) - order.indexOf(b.binding) || Number(b.version) - Number(a.version) || 0,
  );
}

function bindingOf(text: string): Binding | undefined {
  switch (text.toUpperCase().replace(/[^A-Z]/g, '')) {
    case 'JSONRPC':
      return 'JSONRPC';
    case 'HTTPJSON':
    case 'REST':
      return 'HTTP+JSON';
    case 'GRPC':
      return 'GRPC';
    default:
      return undefined;
  }
}

/** Minor versions are compatible; a later major one is not known. */
function versionOf(text: string): ProtocolVersion | undefined {
  const major = Number(/^\s*v?(\d+)/.exec(text)?.[1] ?? Number.NaN);
  if (major === 0) return '0.3';
  return major === 1 ? '1.0' : undefined;
}

function textAt(fields: Record<string, unknown>, ...names: string[]): string {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
}

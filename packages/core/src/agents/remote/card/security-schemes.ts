/** What a card says about credentials, in the words of protocol 0.3 and 1.0. */
import { isObject, objectOf } from '../../../base/objects.js';

export type SecurityScheme =
  | { kind: 'apiKey'; name: string; location: string }
  | { kind: 'http'; scheme: string }
  | { kind: 'oauth2'; flow?: AuthorizationCodeFlow }
  | { kind: 'openIdConnect'; url: string }
  | { kind: 'mutualTls' };

export interface AuthorizationCodeFlow {
  authorizationUrl: string;
  tokenUrl: string;
  scopes: string[];
}

export function securitySchemesIn(card: Record<string, unknown>): SecurityScheme[] {
  return Object.values(objectOf(card['securitySchemes'] ?? card['security_schemes']))
    .slice(0, MAX_SCHEMES)
    .map(schemeIn)
    .filter((scheme) => scheme !== undefined);
}

const MAX_SCHEMES = 20;

function schemeIn(value: unknown): SecurityScheme | undefined {
  const { type, inner } = typeAndFields(value);
  const text = (...names: string[]) => textAt(inner, ...names);
  switch (type) {
    case 'apikey':
      return { kind: 'apiKey', name: text('name'), location: text('in', 'location') || 'header' };
    case 'http':
    case 'httpauth':
      return { kind: 'http', scheme: text('scheme') };
    case 'oauth2': {
      const flow = flowIn(inner['flows']);
      return { kind: 'oauth2', ...(flow && { flow }) };
    }
    case 'openidconnect':
      return { kind: 'openIdConnect', url: text('openIdConnectUrl', 'open_id_connect_url') };
    case 'mutualtls':
    case 'mtls':
      return { kind: 'mutualTls' };
    default:
      return undefined;
  }
}

/** 0.3: `{type, …}`; 1.0: `{httpAuthSecurityScheme: {…}}`; some servers: `{scheme: {$case, value}}`. */
function typeAndFields(value: unknown): { type: string; inner: Record<string, unknown> } {
  const fields = objectOf(value);
  if (typeof fields['type'] === 'string') return { type: fields['type'].toLowerCase(), inner: fields };
  const union = Object.values(fields).find((item) => isObject(item) && typeof item['$case'] === 'string');
  const wrapped = isObject(union) ? { [String(union['$case'])]: union['value'] } : fields;
  const [name = '', inner] = Object.entries(wrapped)[0] ?? [];
  const type = name.replace(/_/g, '').replace(/securityscheme$/i, '');
  return { type: type.toLowerCase(), inner: objectOf(inner) };
}

function flowIn(value: unknown): AuthorizationCodeFlow | undefined {
  const flows = objectOf(value);
  const union = Object.values(flows).find((item) => isObject(item) && item['$case'] === 'authorizationCode');
  const flow = objectOf(
    isObject(union) ? union['value'] : (flows['authorizationCode'] ?? flows['authorization_code']),
  );
  const authorizationUrl = textAt(flow, 'authorizationUrl', 'authorization_url');
  const tokenUrl = textAt(flow, 'tokenUrl', 'token_url');
  if (!URL.canParse(authorizationUrl) || !URL.canParse(tokenUrl)) return undefined;
  return { authorizationUrl, tokenUrl, scopes: Object.keys(objectOf(flow['scopes'])).slice(0, 50) };
}

function textAt(fields: Record<string, unknown>, ...names: string[]): string {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

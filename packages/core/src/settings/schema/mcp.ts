/** Settings `mcp.*` and the fields of `mcpServers.<name>`. */
import { group, off, type SettingsSection } from './definition.js';

export const MCP = {
  serverCommand: {
    kind: 'string',
    parameter: 'mcp.serverCommand',
    live: true,
    restart: true,
    description: 'Command line of one more server, named "mcp".',
  },
  allowed: {
    kind: 'array',
    strict: [],
    parameter: 'mcp.allowed',
    live: true,
    merge: 'intersection',
    restart: true,
    description: 'Only these servers start. Given in several files: only those that all of them name.',
  },
  excluded: {
    kind: 'array',
    parameter: 'mcp.excluded',
    live: true,
    default: [],
    merge: 'union',
    restart: true,
    description: 'Servers that never start.',
  },
  autoAllowInHeadless: off('Headless runs may use the tools of every configured server.', {
    parameter: 'mcp.autoAllowInHeadless',
    live: true,
  }),
} as const satisfies SettingsSection;

const TEXT = { kind: 'string', scalars: true, description: 'Value.' } as const;
const TEXT_MAP = { kind: 'object', items: TEXT, vital: true } as const;

export const MCP_SERVER = group(
  'One server. The first of httpUrl, url, tcp and command decides how it is reached.',
  {
    command: {
      kind: 'string',
      vital: true,
      description: 'Program to start; it talks over stdin and stdout.',
    },
    args: { kind: 'array', items: TEXT, vital: true, description: 'Its arguments.' },
    env: { ...TEXT_MAP, description: 'Its environment variables.' },
    cwd: { kind: 'string', vital: true, description: 'Its working directory.' },
    url: { kind: 'string', vital: true, description: 'Address of a remote server.' },
    type: {
      kind: 'enum',
      values: ['stdio', 'sse', 'http'],
      description: 'Transport spoken at the address.',
    },
    httpUrl: { kind: 'string', vital: true, description: 'Address of a server with streamable HTTP.' },
    tcp: { kind: 'string', vital: true, description: 'Address of a WebSocket server.' },
    headers: { ...TEXT_MAP, description: 'Headers of every request.' },
    timeout: { kind: 'number', minimum: 0, description: 'Milliseconds for connecting and for each request.' },
    trust: { kind: 'boolean', description: 'Its tools run without approval, in trusted folders.' },
    description: { kind: 'string', description: 'Shown in lists.' },
    includeTools: {
      kind: 'array',
      vital: true,
      description: 'Only these of its tools; * stands for any characters.',
    },
    excludeTools: {
      kind: 'array',
      vital: true,
      description: 'None of these tools; * stands for any characters. Wins over includeTools.',
    },
    disabled: { kind: 'boolean', vital: true, description: 'It is not started.' },
    oauth: {
      kind: 'object',
      vital: true,
      description: 'Sign-in.',
      properties: {
        enabled: { kind: 'boolean', description: 'Sign in when the server asks for it.' },
        clientId: { kind: 'string', description: 'Client id.' },
        clientSecret: { kind: 'string', description: 'Client secret.' },
        authorizationUrl: { kind: 'string', description: 'Where the user signs in.' },
        issuer: { kind: 'string', description: 'Who issues tokens.' },
        tokenUrl: { kind: 'string', description: 'Where tokens come from.' },
        scopes: { kind: 'array', description: 'Rights to ask for.' },
        audiences: { kind: 'array', description: 'Whom tokens are for.' },
        redirectUri: { kind: 'string', description: 'Where the browser returns to.' },
        tokenParamName: { kind: 'string', description: 'Query parameter that carries the token.' },
        registrationUrl: { kind: 'string', description: 'Where clients register.' },
      },
    },
    authProviderType: {
      kind: 'enum',
      values: ['dynamic_discovery', 'google_credentials', 'service_account_impersonation'],
      vital: true,
      description: 'Where tokens come from.',
    },
    targetAudience: { kind: 'string', vital: true, description: 'Audience, for impersonation.' },
    targetServiceAccount: { kind: 'string', vital: true, description: 'Service account, for impersonation.' },
    extension: { kind: ['string', 'object'], open: true, description: 'Set by the program.' },
  },
);

import { expect, it } from 'vitest';
import type { ResolvedServer } from '../config.js';
import { withVariables } from './environment.js';

const KEY = `sk-ant-${'a'.repeat(90)}`;
const config = {
  command: '${BIN:-node}',
  args: ['$FLAG', '${UNKNOWN}', '${env:HOME}', '$1', '${SECRET_KEY}'],
  cwd: '${HOME}/x',
  httpUrl: 'https://${REGION}.example/${SECRET_KEY}/mcp',
};
const variables = { HOME: '/home/ada', FLAG: 'of-environment', REGION: 'eu', SECRET_KEY: KEY };

it('an extension names its settings and the environment in command, arguments and folder', () => {
  const extension = { name: 'e', settings: { FLAG: 'of-settings' } };
  expect(withVariables({ name: 's', config, extension }, variables, {}).config).toMatchObject({
    command: 'node',
    args: ['of-settings', '${UNKNOWN}', '/home/ada', '$1', KEY],
    cwd: '/home/ada/x',
  });
});

it('an address gets no secret of the environment, unless it is allowed or a setting of the extension', () => {
  const extension = { name: 'e' };
  const address = (server: object, lists = {}) =>
    withVariables({ name: 's', config, extension, ...server }, variables, lists).config.httpUrl;
  expect(address({})).toBe('https://eu.example/${SECRET_KEY}/mcp');
  expect(address({}, { allowed: ['SECRET_KEY'] })).toBe(`https://eu.example/${KEY}/mcp`);
  expect(address({ extension: { name: 'e', settings: { SECRET_KEY: 'own' } } })).toBe(
    'https://eu.example/own/mcp',
  );
});

it('a server of the settings stays as it is: its file was expanded', () => {
  expect(withVariables({ name: 's', config }, variables, {}).config).toBe(config);
});

it('a server with declared rights is told no secrets, and its address stays as it was checked', () => {
  const capabilities = { network: ['eu.example'], files: { read: [], write: [] }, executables: [] };
  const written = { ...config, command: '${SECRET_KEY}', tcp: '${REGION}', url: '${HOME}' };
  const settings = { allowed: ['SECRET_KEY', 'REGION', 'HOME'] };
  const server: ResolvedServer = { name: 's', config: written, extension: { name: 'e', capabilities } };
  const { httpUrl, tcp, url } = written;
  expect(withVariables(server, variables, settings).config).toMatchObject({
    ...{ httpUrl, tcp, url, command: '${SECRET_KEY}', cwd: '/home/ada/x' },
    args: ['$FLAG', '${UNKNOWN}', '/home/ada', '$1', '${SECRET_KEY}'],
  });
});

it('an extension names its settings in the sign-in of a server', () => {
  const oauth = { enabled: true, clientId: '${ID}', clientSecret: '${ID_SECRET}', scopes: ['a:${ID}'] };
  const addresses = {
    authorizationUrl: 'https://${REGION}.example/a',
    tokenUrl: 'https://${REGION}.example/t',
  };
  const extension = { name: 'e', settings: { ID: 'me', ID_SECRET: 's3cret' } };
  const known = { clientId: 'me', clientSecret: 's3cret', scopes: ['a:me'], enabled: true };
  const server = { name: 's', config: { httpUrl: 'https://x.example', oauth: { ...oauth, ...addresses } } };
  expect(withVariables({ ...server, extension }, variables, {}).config.oauth).toEqual({
    ...known,
    authorizationUrl: 'https://eu.example/a',
    tokenUrl: 'https://eu.example/t',
  });
  const capabilities = { network: ['x.example'], files: { read: [], write: [] }, executables: [] };
  expect(
    withVariables({ ...server, extension: { ...extension, capabilities } }, variables, {}).config.oauth,
  ).toEqual({ ...known, ...addresses });
  const secret = {
    ...server,
    config: { oauth: { clientSecret: '${SECRET_KEY}' } },
    extension: { name: 'e' },
  };
  expect(withVariables(secret, variables, {}).config.oauth).toEqual({ clientSecret: '${SECRET_KEY}' });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../extension-folders.test-helper.js';
import type { ExtensionSetting } from '../types.js';
import { resolveSettings, secretService } from './read-values.js';

const URL_SETTING: ExtensionSetting = { name: 'Address', envVar: 'DEMO_URL' };
const KEY_SETTING: ExtensionSetting = { name: 'Key', envVar: 'DEMO_KEY', sensitive: true };

interface Scene {
  settings: readonly ExtensionSetting[];
  user?: string;
  workspace?: string;
  isTrusted?: boolean;
  secrets?: (names: { user: string; workspace: string }) => Readonly<Record<string, string>>;
}

async function resolve({ settings, user, workspace, isTrusted = true, secrets }: Scene) {
  const installPath = folderWith(user === undefined ? {} : { '.env': user });
  const workspacePath = folderWith(workspace === undefined ? {} : { '.env': workspace });
  const owner = { name: 'demo', id: 'id', installPath, settings };
  const stored =
    secrets?.({ user: secretService(owner), workspace: secretService(owner, workspacePath) }) ?? {};
  const resolved = await resolveSettings(owner, {
    globalDir: installPath,
    workspacePath,
    isTrusted,
    secrets: {
      get: async (service, entry) => {
        const value = stored[`${service} ${entry}`];
        return value === undefined ? undefined : { value, place: 'keychain' };
      },
    },
  });
  return { resolved, installPath, workspacePath };
}

describe('values that are not secret', () => {
  it('come from the extension folder, with their place', async () => {
    const { resolved, installPath } = await resolve({
      settings: [URL_SETTING],
      user: 'DEMO_URL="http://a b"\n',
    });
    expect(resolved).toEqual([
      { ...URL_SETTING, value: 'http://a b', from: 'user', place: join(installPath, '.env') },
    ]);
  });

  it('of the workspace win, also when they are empty', async () => {
    const scene = { settings: [URL_SETTING], user: 'DEMO_URL=user' };
    expect((await resolve({ ...scene, workspace: 'DEMO_URL=own' })).resolved[0]).toMatchObject({
      value: 'own',
      from: 'workspace',
    });
    expect((await resolve({ ...scene, workspace: 'DEMO_URL=' })).resolved[0]?.value).toBe('');
  });

  it('of a workspace that is not trusted are ignored', async () => {
    const { resolved } = await resolve({
      settings: [URL_SETTING],
      user: 'DEMO_URL=user',
      workspace: 'DEMO_URL=own',
      isTrusted: false,
    });
    expect(resolved[0]).toMatchObject({ value: 'user', from: 'user' });
  });

  it('are the default while nothing is set, and absent without one', async () => {
    const { resolved } = await resolve({ settings: [{ ...URL_SETTING, default: 'd' }] });
    expect(resolved[0]).toMatchObject({ value: 'd', from: 'default' });
    expect((await resolve({ settings: [URL_SETTING] })).resolved).toEqual([URL_SETTING]);
  });
});

describe('secret values', () => {
  it('come from the keychain only, never from a file', async () => {
    const { resolved } = await resolve({
      settings: [KEY_SETTING],
      user: 'DEMO_KEY=plain',
      workspace: 'DEMO_KEY=x',
    });
    expect(resolved).toEqual([KEY_SETTING]);
  });

  it('of a trusted workspace win over those of the user', async () => {
    const secrets: Scene['secrets'] = ({ user, workspace }) => ({
      [`${user} DEMO_KEY`]: 'of the user',
      [`${workspace} DEMO_KEY`]: 'of the workspace',
    });
    const trusted = await resolve({ settings: [KEY_SETTING], secrets });
    expect(trusted.resolved[0]).toMatchObject({ value: 'of the workspace', from: 'workspace' });
    const untrusted = await resolve({ settings: [KEY_SETTING], secrets, isTrusted: false });
    expect(untrusted.resolved[0]).toMatchObject({ value: 'of the user', from: 'user' });
  });

  it('have a service that names extension, id and workspace', () => {
    expect(secretService({ name: 'demo', id: 'abc' })).toBe('Gemini CLI Extensions demo abc');
    expect(secretService({ name: 'demo', id: 'abc' }, '/work')).toBe('Gemini CLI Extensions demo abc /work');
  });
});

it('variables that choose programs and libraries are refused even if the manifest was not checked', async () => {
  const settings = ['PATH', 'NODE_OPTIONS', 'DYLD_X', 'GIT_DIR'].map((envVar) => ({ name: envVar, envVar }));
  expect((await resolve({ settings, user: 'PATH=/x\nNODE_OPTIONS=-r x' })).resolved).toEqual([]);
});

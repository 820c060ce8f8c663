import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadedSettings } from '@gemini-cli/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExtensionActions, ExtensionQuestions, ValueQuestion } from '../commands/extension-actions.js';
import { extensionActions } from './actions.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('install', () => {
  it('shows what the extension brings, and installs it after a yes', async () => {
    const { actions, source, ask, asked, installed } = place();
    await expect(actions.install({ source }, ask())).resolves.toMatchObject({
      name: 'notes',
      version: '1.0.0',
    });
    expect(asked.consents).toEqual([expect.stringContaining('API token (NOTES_TOKEN, secret)')]);
    expect(installed()).toEqual(['notes']);
  });

  it('installs nothing after a no, which is no error', async () => {
    const { actions, source, ask, installed } = place();
    await expect(actions.install({ source }, ask({ consent: async () => false }))).resolves.toBeUndefined();
    expect(installed()).toEqual([]);
  });

  it('says which folder is not trusted, when the user cannot be asked or says no', async () => {
    const { actions, source, ask, asked } = place({ trusted: false });
    await expect(actions.install({ source }, ask())).rejects.toThrow(/is not trusted\. Start gemini there/);
    expect(asked.consents).toEqual([]);
  });

  it('passes on an error that comes after the yes', async () => {
    const { actions, source, ask } = place();
    await actions.install({ source }, ask());
    await expect(actions.install({ source }, ask())).rejects.toThrow('already installed');
  });
});

describe('update', () => {
  it('updates what has a new version, and says of the others why not', async () => {
    const { actions, source, base, ask } = place();
    await actions.install({ source }, ask());
    const linked = extensionIn(join(base, 'linked'), 'linked', '2.0.0');
    await actions.link(linked, ask());
    writeManifest(source, { ...MANIFEST, version: '1.1.0' });
    expect(await actions.update('all', ask())).toEqual([
      {
        name: 'notes',
        message: 'Extension "notes" successfully updated: 1.0.0 → 1.1.0.',
        level: 'info',
        hasChanged: true,
      },
    ]);
    expect(await actions.update(['notes', 'linked'], ask())).toMatchObject([
      { message: 'Extension "notes" is already up to date.', hasChanged: false },
      { name: 'linked', level: 'warning', hasChanged: false },
    ]);
  });

  it('continues with the others when one fails', async () => {
    const { actions, source, base, ask } = place();
    const second = extensionIn(join(base, 'second'), 'second', '1.0.0');
    await actions.install({ source }, ask());
    await actions.install({ source: second }, ask());
    writeFileSync(join(source, 'gemini-extension.json'), '{ broken');
    writeManifest(second, { name: 'second', version: '1.0.1' });
    const results = await actions.update('all', ask());
    expect(results.map(({ name, level }) => [name, level])).toEqual([
      ['notes', 'error'],
      ['second', 'info'],
    ]);
  });

  it('names an extension that is not installed', async () => {
    const { actions, ask } = place();
    await expect(actions.update(['nothing'], ask())).rejects.toThrow('"nothing"');
  });
});

describe('configure', () => {
  it('asks for each setting, keeps secrets out of its lines, and stores values for a scope', async () => {
    const { actions, source, ask, asked, home } = place();
    await actions.install({ source, skipSettings: true }, ask());
    const answers = ask({ value: answering(asked.values, { 'API token': 'tok-1', Region: 'eu' }) });
    expect(await actions.configure({ name: 'notes', scope: 'user' }, answers)).toEqual([
      'Set "API token" of "notes" (user): ***',
      'Set "Region" of "notes" (user): eu',
    ]);
    expect(asked.values).toMatchObject([{ title: 'API token', isSecret: true }, { title: 'Region' }]);
    expect(readFileSync(join(home, '.gemini/extensions/notes/.env'), 'utf8')).toContain('NOTES_REGION');
  });

  it('replaces a value that is set only after a yes, and removes it with an empty answer', async () => {
    const { actions, source, ask, asked } = place();
    await actions.install({ source, skipSettings: true }, ask());
    const set = ask({ value: answering(asked.values, { Region: 'eu' }) });
    await actions.configure({ name: 'notes', setting: 'NOTES_REGION', scope: 'user' }, set);
    expect(await actions.configure({ name: 'notes', scope: 'user' }, ask())).toEqual([]);
    expect(asked.questions).toEqual(['"Region" of "notes" is set already. Replace it?']);
    const empty = ask({ value: answering(asked.values, { Region: '' }) });
    expect(await actions.configure({ name: 'notes', setting: 'region', scope: 'user' }, empty)).toEqual([
      'Removed "Region" of "notes" (user).',
    ]);
  });

  it('tells which values fit, and what an empty answer means, under the label', async () => {
    const { actions, source, ask, asked } = place();
    const mode = { name: 'MODE', label: 'How to sort', envVar: 'NOTES_MODE', description: 'For lists' };
    const settings = [
      { ...mode, type: 'choice', options: ['name', 'date'], default: 'date' },
      { name: 'Draft', envVar: 'NOTES_DRAFT', type: 'boolean' },
    ];
    writeManifest(source, { ...MANIFEST, settings });
    await actions.install({ source }, ask());
    expect(asked.values).toEqual([
      { title: 'How to sort', detail: 'For lists\nOne of: name, date.\nEmpty: date' },
      { title: 'Draft', detail: 'true or false.' },
    ]);
  });

  it('names the settings there are when one is unknown', async () => {
    const { actions, source, ask } = place();
    await actions.install({ source, skipSettings: true }, ask());
    const asking = actions.configure({ name: 'notes', setting: 'colour', scope: 'user' }, ask());
    await expect(asking).rejects.toThrow('It has: API token (NOTES_TOKEN), Region (NOTES_REGION).');
  });
});

describe('uninstall', () => {
  it('removes an extension by its name', async () => {
    const { actions, source, ask, installed } = place();
    await actions.install({ source }, ask());
    await expect(actions.uninstall('notes', ask())).resolves.toBe('notes');
    expect(installed()).toEqual([]);
  });
});

const MANIFEST = {
  name: 'notes',
  version: '1.0.0',
  settings: [
    { name: 'API token', description: 'from your account', envVar: 'NOTES_TOKEN', sensitive: true },
    { name: 'Region', description: 'eu or us', envVar: 'NOTES_REGION' },
  ],
};

interface Asked {
  consents: string[];
  questions: string[];
  values: ValueQuestion[];
}

function place({ trusted = true } = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'extension-actions-')));
  folders.push(base);
  const [home, cwd] = [join(base, 'home'), join(base, 'work')];
  for (const dir of [join(home, '.gemini'), cwd]) mkdirSync(dir, { recursive: true });
  const variables = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    GEMINI_FORCE_FILE_STORAGE: 'true',
  };
  writeFileSync(
    join(home, '.gemini/settings.json'),
    JSON.stringify({ security: { folderTrust: { enabled: !trusted } } }),
  );
  const settings = LoadedSettings.load({ cwd, env: variables, trusted });
  const actions: ExtensionActions = extensionActions(() => ({
    environment: { variables, cwd, home },
    settings,
    isTrusted: trusted,
  }));
  const source = join(base, 'source');
  mkdirSync(source);
  writeManifest(source, MANIFEST);
  const asked: Asked = { consents: [], questions: [], values: [] };
  const ask = (other: Partial<ExtensionQuestions> = {}): ExtensionQuestions => ({
    consent: async (text) => asked.consents.push(text) > 0,
    confirm: async (question) => asked.questions.push(question) < 0,
    value: answering(asked.values, {}),
    notice: () => {},
    signal: new AbortController().signal,
    ...other,
  });
  const installed = () =>
    namesIn(join(home, '.gemini/extensions')).filter((name) => !name.includes('.') && name !== 'extension');
  return { actions, base, home, source, ask, asked, installed };
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function answering(asked: ValueQuestion[], answers: Record<string, string>) {
  return async (question: ValueQuestion) => {
    asked.push(question);
    return answers[question.title];
  };
}

function extensionIn(dir: string, name: string, version: string): string {
  mkdirSync(dir);
  writeManifest(dir, { name, version });
  return dir;
}

function writeManifest(dir: string, manifest: object): void {
  writeFileSync(join(dir, 'gemini-extension.json'), JSON.stringify(manifest));
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addFiles, folderWith } from '../extension-folders.test-helper.js';
import { updateExtension } from '../update/update.js';
import { installExtension } from './install.js';
import { InstallLab } from './install-lab.test-helper.js';

let lab: InstallLab;
beforeEach(() => {
  lab = new InstallLab();
});
afterEach(() => lab.remove());

const manifest = (more: object) => ({ 'gemini-extension.json': { name: 'demo', version: '1.0.0', ...more } });
const skill = '---\nname: triage\ndescription: Sorts alerts\n---\nGo.\n';

describe('the consent text', () => {
  it('names each skill once, also when the manifest lists folders that are read anyway', async () => {
    const files = {
      ...manifest({ skills: ['skills/triage', './skills/'] }),
      'skills/triage/SKILL.md': skill,
    };
    expect(await shownFor(files)).toHaveLength(1 + 1);
    expect(lab.consents[0]?.match(/triage: Sorts alerts/g)).toHaveLength(1);
  });

  it('lists agents by the name in their header, and no documents', async () => {
    const lines = await shownFor({
      ...manifest({}),
      'agents/AGENTS.md': '# For contributors\n',
      'agents/nameless.md': '---\ndescription: X\n---\nX\n',
      'agents/sailor.md': '---\nname: able-sailor\ndescription: Sails\n---\nSail.\n',
    });
    expect(lines).toEqual(['Agents:', '  * nameless', '  * able-sailor']);
  });

  it('shows what is sent to a remote server, where it signs in, and defaults of settings', async () => {
    const lines = await shownFor(
      manifest({
        mcpServers: {
          far: {
            httpUrl: '${FAR_URL}',
            headers: { Authorization: 'Bearer $GITHUB_TOKEN' },
            oauth: { authorizationUrl: 'https://in.example/a', tokenUrl: 'https://in.example/t' },
          },
        },
        settings: [{ name: 'Address', envVar: 'FAR_URL', defaultValue: 'https://far.example/mcp' }],
      }),
    );
    expect(lines).toContain(
      '  * far (remote): ${FAR_URL} (sends Authorization: Bearer $GITHUB_TOKEN; ' +
        'signs in at https://in.example/a and https://in.example/t)',
    );
    expect(lines).toContain('  * Address (FAR_URL, default https://far.example/mcp)');
  });

  it('is asked again when an update changes only where clients are registered or what a sign-in asks for', async () => {
    const version = (number: string, oauth: object) =>
      manifest({ version: number, mcpServers: { far: { httpUrl: 'https://far.example', oauth } } });
    const source = folderWith(version('1.0.0', { scopes: ['read'] }));
    await installExtension({ source }, lab.ports());
    addFiles(source, version('1.1.0', { scopes: ['read', 'admin'] }));
    await updateExtension('demo', lab.ports());
    expect(lab.consents[1]).toContain('asks for read, admin');
    addFiles(
      source,
      version('1.2.0', { scopes: ['read', 'admin'], registrationUrl: 'https://evil.example/r' }),
    );
    await updateExtension('demo', lab.ports());
    expect(lab.consents[2]).toContain('signs in at https://evil.example/r');
  });

  it('is asked again when an update changes only the default of a setting, which may be an address', async () => {
    const version = (number: string, address: string) =>
      manifest({
        version: number,
        mcpServers: { far: { httpUrl: '${FAR_URL}' } },
        settings: [{ name: 'Address', envVar: 'FAR_URL', default: address }],
      });
    const source = folderWith(version('1.0.0', 'https://far.example'));
    await installExtension({ source }, lab.ports());
    addFiles(source, version('1.1.0', 'https://evil.example'));
    await updateExtension('demo', lab.ports());
    expect(lab.consents).toHaveLength(2);
    expect(lab.consents[1]).toContain('default https://evil.example');
  });
});

/** Lines of the text before the warnings, without the first one. */
async function shownFor(files: Parameters<typeof folderWith>[0]): Promise<string[]> {
  await installExtension({ source: folderWith(files) }, lab.ports());
  const lines = lab.consents[0]?.split('\n').slice(1) ?? [];
  return lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('Extensions come')),
  );
}

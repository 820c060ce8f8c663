import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadExtensions } from '../load/load-extensions.js';
import { validateExtension } from '../validate/validate-extension.js';
import { convertPluginFolder } from './convert-folder.js';
import { snapshot, temporaryFolder, writeFiles } from './plugins.test-helper.js';
import { WILD_HOOKS, WILD_MARKETS, WILD_PARTS } from './wild-found.test-helper.js';
import { WILD_LATE } from './wild-late.test-helper.js';
import { WILD_LOSSES } from './wild-losses.test-helper.js';
import { WILD_TEXTS } from './wild-plugins.test-helper.js';
import { WILD_PROGRAMS } from './wild-programs.test-helper.js';
import { WILD_RIGHTS } from './wild-rights.test-helper.js';

describe('a plugin in the shape of public ones', () => {
  it.each([
    ...WILD_TEXTS,
    ...WILD_PROGRAMS,
    ...WILD_LOSSES,
    ...WILD_MARKETS,
    ...WILD_HOOKS,
    ...WILD_PARTS,
    ...WILD_LATE,
    ...WILD_RIGHTS,
  ])('becomes an extension that loads, and its losses are named: $shape', async (plugin) => {
    const root = temporaryFolder();
    const folder = writeFiles(join(root, 'demo'), plugin.files);
    const extensions = join(root, 'home', 'extensions');
    mkdirSync(extensions, { recursive: true });
    const staged = join(extensions, 'staged');
    const environment = { variables: {}, cwd: root, home: root };
    const { name, rows } = await convertPluginFolder({ folder, into: staged, environment });
    const lines = rows.map(
      ({ action, kind, source, reason }) => `${action} ${kind} ${source}: ${reason ?? ''}`,
    );
    for (const loss of plugin.losses ?? [])
      expect(
        lines.filter((line) => loss.test(line)),
        `${loss} in\n${lines.join('\n')}`,
      ).not.toEqual([]);
    const written = snapshot(staged);
    expect(Object.keys(written)).toEqual(expect.arrayContaining([...(plugin.has ?? [])]));
    for (const path of plugin.lacks ?? []) expect(Object.keys(written)).not.toContain(path);
    for (const [path, patterns] of Object.entries(plugin.texts ?? {}))
      for (const pattern of patterns) expect(written[path]).toMatch(pattern);
    const live = Object.entries(written).filter(([path]) => LIVE.test(path));
    if (plugin.never) for (const [, text] of live) expect(text).not.toMatch(plugin.never);

    // Nothing in the result decides instead of the user.
    expect(Object.keys(written).filter((path) => /^policies\/|(?:^|\/)\.env$/.test(path))).toEqual([]);
    expect(written['gemini-extension.json']).not.toMatch(/"trust"|alwaysAllow|autoApprove/);
    for (const [path, text] of live)
      expect(`${path}\n${text}`).not.toMatch(/^(?:allowed-tools|permissionMode):/m);

    const errors = (await validateExtension(staged)).filter(({ level }) => level === 'error');
    expect(errors).toEqual([]);
    const loaded = loadExtensions({
      globalDir: join(root, 'home'),
      home: root,
      workspacePath: root,
      isTrusted: true,
      variables: {},
      settings: {},
    });
    expect(loaded.extensions).toMatchObject([{ name, isActive: true }]);
    expect(loaded.problems).toEqual([]);
  });
});

/** What the program reads; other files are copies. */
const LIVE = /^(?:gemini-extension\.json|hooks\/hooks\.json|agents\/|commands\/|skills\/[^/]+\/SKILL\.md)/;

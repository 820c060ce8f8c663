/** Configured hooks in a running engine: they follow settings and trust at once. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Config } from '../config/config.js';
import { HookEventName } from '../hooks/types.js';
import { FakeModel } from '../model/wrappers/fake.js';
import { openProject } from '../project/open-project.js';

const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });

class Place {
  readonly root: string;
  constructor() {
    const { path, cleanup } = tempDir();
    onTestFinished(cleanup);
    this.root = path;
    for (const name of ['home', 'project']) mkdirSync(join(path, name));
  }

  get project(): string {
    return join(this.root, 'project');
  }

  write(path: string, content: object | string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  ran(name: string): boolean {
    return existsSync(join(this.project, name));
  }

  async start(trusted: boolean): Promise<{ config: Config; notices: string[]; say: () => Promise<void> }> {
    const env = {
      PATH: process.env['PATH'],
      HOME: join(this.root, 'home'),
      GEMINI_CLI_HOME: join(this.root, 'home'),
      GEMINI_CLI_TRUST_WORKSPACE: String(trusted),
    };
    const project = await openProject({ cwd: this.project, env, frontEnd: { interactive: true } });
    const notices: string[] = [];
    project.events.subscribe((event) => {
      if (event.type === 'notice') notices.push(event.message);
    });
    project.change({ contentGenerator: new FakeModel(Array.from({ length: 9 }, () => 'hi')), model: 'm' });
    const config = new Config(project);
    onTestFinished(() => config.shutdown());
    await config.initialize();
    const say = async () => {
      for await (const _ of config.getSession().send('hello'));
    };
    return { config, notices, say };
  }
}

describe('Hooks of a running session', () => {
  it('are not loaded while none is configured', async () => {
    const { config } = await new Place().start(true);
    expect(config.getHookSystem()).toBeUndefined();
    expect(config.getEngine().hooks.beforeTool).toBeUndefined();
  });

  it('of the project come with trust, hooks.toml included, and go with it', async () => {
    const place = new Place();
    place.write('project/.gemini/settings.json', { hooks: { BeforeAgent: [hook('touch json')] } });
    place.write(
      'project/.gemini/hooks.toml',
      '[hooks.BeforeAgent]\nhooks = [ { type = "command", command = "touch toml" } ]\n',
    );
    const { config, notices, say } = await place.start(false);
    await say();
    expect([place.ran('json'), place.ran('toml'), config.getHookSystem()]).toEqual([false, false, undefined]);
    config.setTrusted(true);
    await say();
    expect([place.ran('json'), place.ran('toml')]).toEqual([true, true]);
    expect(notices.join('\n')).toContain(
      'new or changed hooks, which run from now on: touch json, touch toml.',
    );
    config.setTrusted(false);
    expect(config.getHookSystem()?.registry.getAllHooks()).toEqual([]);
    expect(config.getHookSystem()?.has(HookEventName.BeforeAgent)).toBe(false);
  });

  it('are enabled and disabled at once, by the settings and in the registry', async () => {
    const place = new Place();
    place.write('home/.gemini/settings.json', {
      hooks: { BeforeAgent: [hook('echo x >> ran', { name: 'mine' })] },
    });
    const { config } = await place.start(true);
    const system = config.getHookSystem();
    const isOn = () => config.getEngine().hooks.beforeAgent !== undefined;
    expect(isOn()).toBe(true);
    await config.parameters.settings?.setValue('user', 'hooksConfig.disabled', ['mine']);
    expect([isOn(), system?.registry.getAllHooks().map(({ enabled }) => enabled)]).toEqual([false, [false]]);
    await config.parameters.settings?.setValue('user', 'hooksConfig.disabled', []);
    expect(isOn()).toBe(true);
    system?.registry.setHookEnabled('mine', false);
    expect(isOn()).toBe(false);
  });
});

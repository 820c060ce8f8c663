import { describe, expect, it } from 'vitest';
import { key, pasted, typed } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, type OpenOptions, openDialog } from '../open-dialog.test-helper.js';
import { AuthDialog } from './AuthDialog.js';
import type { AuthPorts } from './ports.js';

interface FakePorts extends AuthPorts {
  saved: string[];
}

function fakePorts(changes: Partial<AuthPorts> = {}): FakePorts {
  const saved: string[] = [];
  return {
    env: {},
    offered: async () => ({
      types: ['oauth-personal', 'gemini-api-key', 'vertex-ai'],
      preselected: undefined,
    }),
    problemOf: async () => undefined,
    storage: async () => '~/.gemini/gemini-credentials.json',
    checkKey: async () => ({ state: 'works', models: ['one', 'two'] }),
    saveKey: async (service, key) => {
      saved.push(service === 'gemini' ? key : `${service} ${key}`);
      return '~/.gemini/gemini-credentials.json';
    },
    savedKeys: async () => [],
    modelsOf: async () => ({ models: ['gpt-5', 'gpt-4.1'] }),
    signInWithGoogle: async () => {},
    findServers: async () => [
      { provider: 'ollama', baseUrl: 'http://localhost:11434/v1', models: ['qwen3', 'llama4'] },
    ],
    ...changes,
    saved,
  };
}

async function openAuth(ports: AuthPorts, options: OpenOptions = {}) {
  const dialog = await openDialog(AuthDialog, { ...options, props: { ports, ...options.props } });
  await dialog.shows('Offline guide');
  return dialog;
}

const SELECTED = 'changeSetting:user,security.auth.selectedType';

describe('The list', () => {
  it('shows every sign-in method, in order', async () => {
    const { lastFrame } = await openAuth(fakePorts());
    const frame = lastFrame();
    const labels = [
      'Sign in with Google',
      'Use Gemini API Key',
      'Vertex AI',
      'Another provider or local server',
      'Offline guide',
      'Skip',
    ];
    const places = labels.map((label) => frame.indexOf(label));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(frame).toContain('policies.google.com/terms');
  });

  it('says what Google needs where it is unusable, and starts at the next method', async () => {
    const ports = fakePorts({
      offered: async () => ({ types: ['gemini-api-key', 'vertex-ai'], preselected: undefined }),
    });
    const { lastFrame, press, shows } = await openAuth(ports);
    expect(lastFrame()).toContain('needs GEMINI_OAUTH_CLIENT_ID');
    await press(key('1'));
    expect(lastFrame()).toContain('Offline guide');
    await press(key('enter'));
    await shows('Gemini API key');
  });

  it('has one choice where the administrator enforces it', async () => {
    const ports = fakePorts({ offered: async () => ({ types: ['vertex-ai'], preselected: undefined }) });
    const dialog = await openDialog(AuthDialog, {
      props: { ports },
      files: { system: { security: { auth: { enforcedType: 'vertex-ai' } } } },
    });
    await dialog.shows('1. Vertex AI');
    expect(dialog.lastFrame()).not.toMatch(/2\. |Skip|Offline/);
  });

  it('starts at the method that the environment selects', async () => {
    const ports = fakePorts({
      offered: async () => ({ types: ['gemini-api-key', 'vertex-ai'], preselected: 'vertex-ai' }),
    });
    const { press, services, until } = await openAuth(ports);
    await press(key('enter'));
    await until(() => services.calls.includes('restartEngine:'));
    expect(services.calls[0]).toBe(`${SELECTED},vertex-ai`);
  });

  it('shows why it was opened', async () => {
    const { lastFrame } = await openAuth(fakePorts(), {
      props: { problem: 'The saved sign-in has expired.' },
    });
    expect(lastFrame()).toContain('has expired');
  });
});

describe('A Gemini API key', () => {
  it('is masked, saved and selected, and the engine starts', async () => {
    const ports = fakePorts();
    const { press, services, closed, shows, until, lastFrame } = await openAuth(ports);
    await press(key('2'));
    await shows('Gemini API key');
    await press(...typed('AIza'), pasted('-secret\n'));
    expect(lastFrame()).toContain('***********');
    expect(lastFrame()).not.toMatch(/AIza|secret/);
    await press(key('enter'));
    await until(() => closed.length > 0);
    expect(ports.saved).toEqual(['AIza-secret']);
    expect(services.calls.slice(1)).toEqual([`${SELECTED},gemini-api-key`, 'restartEngine:']);
    expect(services.calls[0]).toContain(
      'The Gemini key works (2 models). Saved in ~/.gemini/gemini-credentials.json.',
    );
    expect(closed).toEqual([{ way: 'gemini-api-key' }]);
  });

  it('is not saved if the server refuses it', async () => {
    const ports = fakePorts({ checkKey: async () => ({ state: 'refused', status: 400 }) });
    const { press, shows, closed } = await openAuth(ports);
    await press(key('2'), ...typed('wrong'), key('enter'));
    await shows('Gemini refused this key (HTTP 400)');
    expect([ports.saved, closed]).toEqual([[], []]);
  });

  it('is saved with a warning if it cannot be checked', async () => {
    const ports = fakePorts({ checkKey: async () => ({ state: 'unknown', reason: 'no network' }) });
    const { press, services, closed, until } = await openAuth(ports);
    await press(key('2'), ...typed('AIza'), key('enter'));
    await until(() => closed.length > 0);
    expect(ports.saved).toEqual(['AIza']);
    expect(services.calls[0]).toContain('could not be checked (no network)');
  });

  it('says where it will be stored', async () => {
    const { press, shows } = await openAuth(fakePorts({ storage: async () => 'the system keychain' }));
    await press(key('2'));
    await shows('stored in the system keychain');
  });

  it('is refused in place if it is not a key', async () => {
    const { press, shows, closed } = await openAuth(
      fakePorts({
        saveKey: async () => {
          throw new Error('The API key is empty or has characters that no key has');
        },
      }),
    );
    await press(key('2'), ...typed('a b'), key('enter'));
    await shows('characters that no key has');
    await press(key('escape'));
    await shows('Offline guide');
    expect(closed).toEqual([]);
  });

  it('is not asked for where the environment has one', async () => {
    const { press, closed, until } = await openAuth(fakePorts({ env: { GEMINI_API_KEY: 'x' } }));
    await press(key('2'));
    await until(() => closed.length > 0);
  });
});

describe('Another method', () => {
  it('says in place what Vertex AI is missing', async () => {
    const ports = fakePorts({ problemOf: async () => 'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION.' });
    const { press, shows, services } = await openAuth(ports);
    await press(key('3'));
    await shows('GOOGLE_CLOUD_PROJECT');
    expect(services.calls).toEqual([]);
  });

  it('lists a local server that answers, and uses it', async () => {
    const { press, shows, services, until, closed } = await openAuth(fakePorts());
    await press(key('4'));
    await shows('ollama/qwen3');
    await press(key('2'));
    await until(() => closed.length > 0);
    expect(services.calls).toEqual([
      'changeSetting:user,model.name,ollama/llama4',
      'switchModel:ollama/llama4',
    ]);
  });

  it('takes the key of another provider, and shows its models', async () => {
    const ports = fakePorts({ findServers: async () => [] });
    const { press, shows, services, closed, until, lastFrame } = await openAuth(ports);
    await press(key('4'));
    await shows('1. OpenAI: paste a key');
    await press(key('1'));
    await shows('platform.openai.com/api-keys');
    await press(pasted('sk-secret'), key('enter'));
    await shows('openai/gpt-5');
    expect(ports.saved).toEqual(['openai sk-secret']);
    expect(services.calls[0]).toContain('The OpenAI key works (2 models)');
    expect(lastFrame()).not.toContain('sk-secret');
    await press(key('2'));
    await until(() => closed.length > 0);
    expect(services.calls.slice(1)).toEqual([
      'changeSetting:user,model.name,openai/gpt-4.1',
      'switchModel:openai/gpt-4.1',
    ]);
  });

  it('says that no key of the provider is saved when the field is left empty', async () => {
    const { press, shows } = await openAuth(fakePorts({ findServers: async () => [] }));
    await press(key('4'));
    await shows('OpenAI: paste a key');
    await press(key('1'), key('enter'));
    await shows('No OpenAI key is saved. Paste one.');
  });

  it('names a refused key of another provider in place; Esc goes back to the providers', async () => {
    const ports = fakePorts({ checkKey: async () => ({ state: 'refused', status: 401 }) });
    const { press, shows } = await openAuth(ports);
    await press(key('4'));
    await shows('Anthropic: paste a key');
    await press(key('4'), ...typed('bad'), key('enter'));
    await shows('Anthropic refused this key (HTTP 401)');
    expect(ports.saved).toEqual([]);
    await press(key('escape'));
    await shows('ollama/qwen3');
  });

  it('shows the models of a provider whose key is set or saved', async () => {
    const ports = fakePorts({
      env: { OPENAI_API_KEY: 'x' },
      savedKeys: async () => ['anthropic'],
      findServers: async () => [],
    });
    const { press, shows, lastFrame } = await openAuth(ports);
    await press(key('4'));
    await shows('OPENAI_API_KEY is set');
    expect(lastFrame()).toMatch(/2\. Anthropic: choose a model\s[\s\S]*its key is saved/);
    await press(key('1'));
    await shows('Which model should answer?');
  });

  it('takes a typed model name and says what is wrong with it', async () => {
    const { press, shows, services } = await openAuth(fakePorts({ findServers: async () => [] }), {
      services: { switchModel: async () => 'The provider "openai" needs a key: set OPENAI_API_KEY.' },
    });
    await press(key('4'));
    await shows('No model server answers');
    await press(key('4'), ...typed('openai/gpt-5'), key('enter'));
    await shows('needs a key');
    expect(services.calls).toContain('changeSetting:user,model.name,openai/gpt-5');
  });

  it('starts the offline guide without writing anything', async () => {
    const { press, services, closed, until } = await openAuth(fakePorts());
    await press(key('5'));
    await until(() => closed.length > 0);
    expect(services.calls).toEqual(['switchModel:offline']);
  });

  it.each(['6', 'escape'])('(%s) skips the sign-in', async (chord) => {
    const { press, services, closed } = await openAuth(fakePorts());
    await press(key(chord));
    expect(closed).toEqual([{ way: 'skip' }]);
    expect(services.calls).toEqual([]);
  });
});

describe('Google sign-in', () => {
  it('shows the address, opens the browser, then starts the engine', async () => {
    let finish = () => {};
    const ports = fakePorts({
      signInWithGoogle: (prompts) =>
        new Promise((resolve) => {
          prompts.showUrl('https://accounts.google.com/o/oauth2?x=1');
          void prompts.openBrowser('https://accounts.google.com/o/oauth2?x=1');
          finish = resolve;
        }),
    });
    const { press, shows, services, closed, until } = await openAuth(ports);
    await press(key('1'));
    await shows('accounts.google.com');
    expect(services.calls).toEqual(['openUrl:https://accounts.google.com/o/oauth2?x=1']);
    finish();
    await until(() => closed.length > 0);
    expect(services.calls.slice(1)).toEqual([`${SELECTED},oauth-personal`, 'restartEngine:']);
  });

  it('asks for the code where there is no browser', async () => {
    const codes: (string | undefined)[] = [];
    const ports = fakePorts({
      signInWithGoogle: async (prompts, signal) => {
        codes.push(await prompts.askCode('https://x.example', undefined, signal));
        codes.push(await prompts.askCode('https://x.example', 'That was not the code.', signal));
      },
    });
    const { press, shows, closed, until } = await openAuth(ports);
    await press(key('1'));
    await shows('Paste the code');
    await press(...typed('abc'), key('enter'));
    await shows('not the code');
    await press(pasted('def'), key('enter'));
    await until(() => closed.length > 0);
    expect(codes).toEqual(['abc', 'def']);
  });

  it('is cancelled by Esc, which goes back', async () => {
    let signal: AbortSignal | undefined;
    const ports = fakePorts({
      signInWithGoogle: (_prompts, given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    const { press, shows } = await openAuth(ports);
    await press(key('1'));
    await shows('Waiting for the sign-in');
    await press(key('escape'));
    await shows('Offline guide');
    expect(signal?.aborted).toBe(true);
  });
});

it('a cancelled Google sign-in that ends later does not go back a second time', async () => {
  const ports = fakePorts({
    signInWithGoogle: (_prompts, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  });
  const { press, settle, lastFrame } = await openAuth(ports);
  await press(key('1'), key('escape'), key('2'));
  await settle();
  expect(lastFrame()).toContain('Gemini API key');
});

it('the field stays visible in 20 columns and 5 rows', async () => {
  const dialog = await openDialog(AuthDialog, { width: 20, height: 5, props: { ports: fakePorts() } });
  await dialog.shows('Sign in');
  await dialog.press(key('2'), ...typed('abc'));
  expect(dialog.lastFrame()).toContain('> ***');
  expect(flawsOf(dialog.lastFrame(), 20, 5)).toEqual([]);
});

it.each([
  [40, 10],
  [80, 10],
  [40, 24],
  [120, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const servers = [{ provider: HOSTILE, baseUrl: HOSTILE, models: ['x'.repeat(100_000), HOSTILE] }];
  const dialog = await openDialog(AuthDialog, {
    width,
    height,
    props: { ports: fakePorts({ findServers: async () => servers }), problem: HOSTILE.repeat(50) },
  });
  await dialog.shows('Sign in');
  expect(flawsOf(dialog.lastFrame(), width, height)).toEqual([]);
  await dialog.press(key('4'));
  await dialog.shows('evil');
  expect(flawsOf(dialog.lastFrame(), width, height)).toEqual([]);
});

it('a screen reader gets only words', async () => {
  const { lastFrame } = await openAuth(fakePorts(), { screenReader: true });
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●⠋]/);
  expect(lastFrame()).toContain('1. Sign in with Google, selected');
});

import { expect, it } from 'vitest';
import type { DialogName } from '../../commands/dialog-name.js';
import { Lines } from '../components/Lines.js';
import { flawsOf, openDialog } from './open-dialog.test-helper.js';
import { loadDialog } from './registry.js';

const PROPS: Readonly<Record<DialogName, object>> = {
  help: {},
  auth: {},
  theme: {},
  editor: {},
  privacy: {},
  settings: {},
  sessionBrowser: {},
  model: {},
  agentConfig: {},
  permissions: {},
  trust: {},
  rewind: {},
  undo: {},
  inbox: {},
  footer: {},
  hooks: {},
  mcp: {},
  extensionGallery: {},
  value: { question: { title: 'API key', detail: 'For the service', isSecret: true } },
  ideNudge: { editor: 'VS Code', isInstalled: false },
  elicitation: {
    question: {
      kind: 'mcp_elicitation',
      serverName: 's',
      message: 'm',
      mode: 'form',
      fields: [{ name: 'a', title: 'A', type: 'text', required: true }],
    },
  },
  fallback: { situation: { kind: 'capacity', model: 'm', reason: 'r' } },
  loop: { situation: { kind: 'loop' } },
  policies: { situation: { kind: 'policies', files: [], state: 'new', allowRules: 0 } },
  confirmAction: { prompt: 'Sure?' },
  confirmShell: { commands: ['ls'] },
  custom: { component: <Lines lines={['one', 'two', 'three']} /> },
};
const names = Object.keys(PROPS) as DialogName[];

const SIZES = [
  [20, 5],
  [40, 10],
  [120, 24],
] as const;

it.each(names.flatMap((name) => SIZES.map((size) => [name, ...size] as const)))(
  '%s opens in %i columns and %i rows, with nothing but what the app gives',
  async (name, width, height) => {
    const Dialog = await loadDialog(name);
    const { lastFrame } = await openDialog(Dialog, { props: PROPS[name], width, height });
    expect(lastFrame().split('\n').length).toBeGreaterThan(2);
    expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  },
);

it.each(names)('%s has no box for a screen reader', async (name) => {
  const Dialog = await loadDialog(name);
  const { lastFrame } = await openDialog(Dialog, { props: PROPS[name], screenReader: true });
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●▲▼⠋]/);
});

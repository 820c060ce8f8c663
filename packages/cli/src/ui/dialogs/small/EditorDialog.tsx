/** Which editor opens files. */
import { loadFrontEnd, messageOf, setting, type Variables } from '@gemini-cli/core';
import { useEffect } from 'react';
import { isCommand } from '../../keys/bindings.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { cutText, wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface EditorProps {
  /** All editors, and whether each is installed. */
  editors?: readonly { name: string; isInstalled: boolean }[];
}

/** Not set: what VISUAL or EDITOR name. */
const UNSET = '';

export function EditorDialog({ services, props, close }: DialogProps<EditorProps, string>) {
  const look = useLook();
  const { settings, height } = services;
  const editors = useLiveState(props.editors);
  const scope = useLiveState<'user' | 'workspace'>('user');
  const message = useLiveState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once
  useEffect(() => {
    if (!props.editors) void findEditors(services.env).then((found) => editors.set(found));
  }, []);
  const save = async (name: string) => {
    try {
      await services.changeSetting(scope.now, 'general.preferredEditor', name === UNSET ? undefined : name);
      close(name);
    } catch (error) {
      message.set(messageOf(error));
    }
  };
  const width = innerWidth(look);
  const target = scope.now === 'user' ? 'User Settings' : 'Workspace Settings';
  return (
    <Question
      key={editors.now ? 'found' : 'looking'}
      title="Select Editor"
      hint={['Enter to select', 'Esc to close', 'Tab to change the scope']}
      content={[
        ...(message.now ? wrapText(cleanLine(message.now), width) : []),
        cutText(`Save to: ${target} (Tab to change)`, width),
      ]}
      choices={[
        { value: UNSET, label: 'The one named by VISUAL or EDITOR' },
        ...(editors.now ?? []).map(({ name, isInstalled }) => ({
          value: name,
          label: name,
          disabled: isInstalled ? undefined : 'not installed',
        })),
      ]}
      initial={setting(settings.merged, 'general.preferredEditor') ?? UNSET}
      height={height}
      onSelect={(name) => void save(name)}
      onCancel={() => close()}
      onKey={(key) => {
        if (!isCommand(key, 'nav.dialog.next')) return false;
        scope.set(scope.now === 'user' ? 'workspace' : 'user');
        return true;
      }}
    />
  );
}

async function findEditors(env: Variables): Promise<{ name: string; isInstalled: boolean }[]> {
  const { dialogSettings, installedEditors } = await loadFrontEnd();
  const all = dialogSettings().find(({ key }) => key === 'general.preferredEditor')?.values ?? [];
  const installed = new Set(installedEditors(env));
  return all.map((name) => ({ name, isInstalled: installed.has(name) }));
}

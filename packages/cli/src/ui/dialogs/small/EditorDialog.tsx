/** Chooses the editor that opens files. */
import { loadFrontEnd, setting, type Variables } from '@gemini-cli/core';
import { Text } from 'ink';
import { useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { useAction } from '../../components/use-action.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface EditorProps {
  /** All editors, and whether each is installed. */
  editors?: readonly { name: string; isInstalled: boolean }[];
}

/** Not set: VISUAL or EDITOR is used. */
const UNSET = '';

export function EditorDialog({ services, props, close }: DialogProps<EditorProps, string>) {
  const { settings, env, changeSetting } = services;
  const loaded = useLoaded(props.editors ? undefined : () => findEditors(env));
  const editors = props.editors ?? loaded.value;
  const found = (editors ?? []).filter(({ isInstalled }) => isInstalled);
  const missing = (editors ?? []).filter(({ isInstalled }) => !isInstalled);
  const [scope, setScope] = useState<'user' | 'workspace'>('user');
  const theme = useTheme();
  const saving = useAction();
  const save = async (name: string) => {
    await changeSetting(scope, 'general.preferredEditor', name === UNSET ? undefined : name);
    close(name);
  };
  return (
    <Question
      // A new list starts at the current editor.
      key={editors ? 'found' : 'looking'}
      title="Select Editor"
      footer={{
        primaryAction: 'Enter to select',
        cancelAction: 'Esc to close',
        hints: ['Tab to change the scope'],
      }}
      items={[
        { value: UNSET, label: 'The one named by VISUAL or EDITOR' },
        ...found.map(({ name }) => ({ value: name, label: titleOf(name) })),
      ]}
      initial={setting(settings.merged, 'general.preferredEditor') ?? UNSET}
      onSelect={(name) => saving.run(() => save(name))}
      onCancel={() => close()}
      onKey={(key) => {
        const isNext = isCommand(key, 'nav.dialog.next');
        if (isNext) setScope(scope === 'user' ? 'workspace' : 'user');
        return isNext;
      }}
    >
      <ErrorText text={saving.problem || loaded.problem} />
      <Text wrap="truncate">
        Save to: {scope === 'user' ? 'User Settings' : 'Workspace Settings'} (Tab to change)
      </Text>
      {missing.length > 0 && (
        <Paragraph
          text={`Not installed: ${missing.map(({ name }) => titleOf(name)).join(', ')}`}
          color={theme.text.secondary}
        />
      )}
    </Question>
  );
}

/** Names that differ from the value of the setting by more than a capital. */
const TITLES: Readonly<Record<string, string>> = {
  vscode: 'VS Code',
  vscodium: 'VSCodium',
  sublimetext: 'Sublime Text',
  bbedit: 'BBEdit',
  hx: 'Helix',
  emacsclient: 'Emacs (emacsclient)',
  micro: 'micro',
  nano: 'nano',
};

function titleOf(name: string): string {
  return TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

async function findEditors(env: Variables): Promise<{ name: string; isInstalled: boolean }[]> {
  const { dialogSettings, installedEditors } = await loadFrontEnd();
  const all = dialogSettings().find(({ key }) => key === 'general.preferredEditor')?.values ?? [];
  const installed = new Set(installedEditors(env));
  return all.map((name) => ({ name, isInstalled: installed.has(name) }));
}

/** Chooses a theme, previewed while the user moves through the list. */
import { setting } from '@gemini-cli/core';
import { Box, Text } from 'ink';
import { useState } from 'react';
import { DialogFrame } from '../../components/DialogFrame.js';
import { Lines } from '../../components/Lines.js';
import { Paragraph, paragraphRows } from '../../components/Paragraph.js';
import { RadioButtonSelect } from '../../components/RadioButtonSelect.js';
import { Room, useRoom } from '../../components/Room.js';
import { useAction } from '../../components/use-action.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import { markdownLines } from '../../markdown/markdown.js';
import { cleanLine } from '../../text/clean.js';
import { diffLines } from '../../tools/diff.js';
import { useLook, useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { SAMPLE_CODE, SAMPLE_DIFF, type ThemeEntry, themeItems, themesOf } from './themes.js';

export interface ThemeProps {
  themes?: readonly ThemeEntry[];
}

type Scope = 'user' | 'workspace';

export function ThemeDialog({ services, props, close }: DialogProps<ThemeProps, string>) {
  const { settings, previewTheme, changeSetting } = services;
  const loaded = useLoaded(props.themes ? undefined : () => themesOf(settings.merged));
  const themes = props.themes ?? loaded.value;
  const [scope, setScope] = useState<Scope>('user');
  const saving = useAction();
  useDialogKeys({
    onKey: (key) => {
      if (isCommand(key, 'nav.dialog.next')) setScope(scope === 'user' ? 'workspace' : 'user');
      else if (isCommand(key, 'basic.cancel')) {
        previewTheme(undefined);
        close();
      } else return false;
      return true;
    },
  });
  const save = async (name: string) => {
    await changeSetting(scope, 'ui.theme', name);
    previewTheme(undefined);
    close(name);
  };
  return (
    <DialogFrame
      title="Select Theme"
      footer={{
        primaryAction: 'Enter to select',
        cancelAction: 'Esc to close',
        hints: ['Tab to change the scope'],
      }}
    >
      <ThemeChoice
        themes={themes}
        scope={scope}
        problem={saving.problem || loaded.problem}
        current={setting(settings.merged, 'ui.theme')}
        onHighlight={previewTheme}
        onSelect={(name) => saving.run(() => save(name))}
      />
    </DialogFrame>
  );
}

interface ThemeChoiceProps {
  themes: readonly ThemeEntry[] | undefined;
  scope: Scope;
  problem: string;
  current: string | undefined;
  onHighlight(name: string): void;
  onSelect(name: string): void;
}

const SIDE_BY_SIDE = 70;
const PREVIEW_SHARE = 0.55;

function ThemeChoice({ themes, scope, problem, current, onHighlight, onSelect }: ThemeChoiceProps) {
  const { screenReader, theme: plain } = useLook();
  const theme = useTheme();
  const { width, rows } = useRoom();
  const hasPreview = width >= SIDE_BY_SIDE && !screenReader;
  const left = hasPreview ? Math.floor(width * (1 - PREVIEW_SHARE)) : width;
  const error = cleanLine(problem);
  const below = rows - 1 - paragraphRows(error, width);
  return (
    <Box flexDirection="column">
      {error !== '' && <Paragraph text={error} color={theme.status.error} />}
      <Text wrap="truncate">
        Save to: {scope === 'user' ? 'User Settings' : 'Workspace Settings'} (Tab to change)
      </Text>
      <Box columnGap={1} {...(Number.isFinite(below) && { maxHeight: below })} overflowY="hidden">
        <Room width={left} rows={below}>
          {themes && (
            <RadioButtonSelect
              items={themeItems(themes)}
              initial={current ?? plain.name}
              onHighlight={onHighlight}
              onSelect={onSelect}
            />
          )}
        </Room>
        {hasPreview && (
          <Room width={width - left - 1}>
            <Preview />
          </Room>
        )}
      </Box>
    </Box>
  );
}

function Preview() {
  const look = useLook();
  const theme = useTheme();
  return (
    <>
      <Text bold color={theme.text.primary}>
        Preview
      </Text>
      <Lines lines={[...markdownLines(SAMPLE_CODE, look), '', ...diffLines(SAMPLE_DIFF, look)]} />
    </>
  );
}

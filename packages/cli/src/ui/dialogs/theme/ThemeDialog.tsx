/** Colours, tried out while one moves through the list. */
import { messageOf, setting } from '@gemini-cli/core';
import { useEffect } from 'react';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import type { Look } from '../../look.js';
import { markdownLines } from '../../markdown/markdown.js';
import { Frame } from '../../primitives/Frame.js';
import { innerHeight, innerWidth } from '../../primitives/frame-lines.js';
import { useDialogInput } from '../../primitives/use-dialog-input.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { useRadioList } from '../../primitives/use-radio-list.js';
import { cleanLine } from '../../text/clean.js';
import { cutText, widthOf, wrapText } from '../../text/columns.js';
import { narrower } from '../../text/narrow.js';
import { diffLines } from '../../tools/diff.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { SAMPLE_CODE, SAMPLE_DIFF, type ThemeEntry, themeChoices, themesOf } from './themes.js';

export interface ThemeProps {
  themes?: readonly ThemeEntry[];
}

export function ThemeDialog({ services, props, close }: DialogProps<ThemeProps, string>) {
  const { settings } = services;
  const themes = useLiveState<readonly ThemeEntry[]>(props.themes ?? []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once
  useEffect(() => {
    if (!props.themes) void themesOf(settings.merged).then((found) => themes.set(found));
  }, []);
  return <ThemeList key={themes.now.length} services={services} themes={themes.now} close={close} />;
}

interface ThemeListProps extends Pick<DialogProps<ThemeProps, string>, 'services' | 'close'> {
  themes: readonly ThemeEntry[];
}

function ThemeList({ services, themes, close }: ThemeListProps) {
  const look = useLook();
  const { settings, height } = services;
  const scope = useLiveState<'user' | 'workspace'>('user');
  const problem = useLiveState('');
  const width = innerWidth(look);
  const rows = innerHeight(look, height);
  const save = async (name: string) => {
    try {
      await services.changeSetting(scope.now, 'ui.theme', name);
      services.previewTheme(undefined);
      close(name);
    } catch (error) {
      problem.set(messageOf(error));
    }
  };
  const list = useRadioList({
    choices: themeChoices(themes),
    initial: setting(settings.merged, 'ui.theme') ?? look.theme.name,
    onSelect: (name) => void save(name),
    onHighlight: (name) => services.previewTheme(name),
  });
  useDialogInput({
    onKey: (key: Key) => {
      if (isCommand(key, 'basic.cancel')) {
        services.previewTheme(undefined);
        close();
      } else if (isCommand(key, 'nav.dialog.next')) scope.set(scope.now === 'user' ? 'workspace' : 'user');
      else return list.handle(key);
      return true;
    },
  });
  const target = scope.now === 'user' ? 'User Settings' : 'Workspace Settings';
  const head = [
    ...(problem.now
      ? wrapText(cleanLine(problem.now), width).map((row) =>
          look.paint(row, { color: look.theme.status.error }),
        )
      : []),
    cutText(`Save to: ${target} (Tab to change)`, width),
  ];
  const left = width >= SIDE_BY_SIDE && !look.screenReader ? Math.floor(width * 0.45) : width;
  const shown = list.lines({ width: left, rows: Math.max(1, rows - head.length) });
  const body = left < width ? beside(shown, previewLines(look, width - left - 1), left) : shown;
  return (
    <Frame
      title="Select Theme"
      hint={['Enter to select', 'Esc to close', 'Tab to change the scope']}
      lines={[...head, ...body].slice(0, rows)}
      height={height}
    />
  );
}

const SIDE_BY_SIDE = 70;

function previewLines(look: Look, width: number): string[] {
  const inner = narrower(look, look.width - width);
  return [
    look.paint('Preview', { color: look.theme.text.primary, bold: true }),
    ...markdownLines(SAMPLE_CODE, inner),
    '',
    ...diffLines(SAMPLE_DIFF, inner),
  ];
}

function beside(left: readonly string[], right: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const line = left[at] ?? '';
    return `${line}${' '.repeat(Math.max(0, width - widthOf(line)))} ${right[at] ?? ''}`;
  });
}

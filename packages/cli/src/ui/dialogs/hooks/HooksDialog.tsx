/** Lists all hooks with what they are for; Space enables or disables one, at once and for later sessions. */
import { Text } from 'ink';
import { useState } from 'react';
import { type HookRow, hookFacts } from '../../../output/hooks-text.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { ToggleList } from '../../components/ToggleList.js';
import { useAction } from '../../components/use-action.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { isCommand } from '../../keys/bindings.js';
import { letterOf } from '../../keys/key-scope.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { type HooksPort, hooksPort } from './port.js';

export interface HooksProps {
  port?: HooksPort;
}

export function HooksDialog({ services, props, close }: DialogProps<HooksProps>) {
  const [port] = useState(() => props.port ?? hooksPort(services));
  const [rows, setRows] = useState(() => port.list());
  const [index, setIndex] = useState(0);
  const saving = useAction();
  const theme = useTheme();
  const change = (work: () => Promise<readonly string[]>) =>
    saving.run(async () => {
      const stays = await work();
      setRows(port.list());
      if (stays.length > 0)
        throw new Error(`The system settings keep disabled: ${stays.map(cleanLine).join(', ')}`);
    });
  const move = (step: number) => setIndex((index + step + rows.length) % Math.max(1, rows.length));
  useDialogKeys({
    onKey: (key) => {
      const chosen = rows[index];
      if (isCommand(key, 'basic.cancel')) close();
      else if (isCommand(key, 'nav.dialog.up')) move(-1);
      else if (isCommand(key, 'nav.dialog.down')) move(1);
      else if (letterOf(key) === ' ' || isCommand(key, 'basic.confirm')) {
        if (chosen) change(() => port.set(index, !chosen.enabled));
      } else if (letterOf(key) === 'e') change(() => port.setAll(true));
      else if (letterOf(key) === 'd') change(() => port.setAll(false));
      else return false;
      return true;
    },
  });
  const enabled = rows.filter((row) => row.enabled).length;
  const problems = port.problems();
  return (
    <DialogFrame
      title="Hooks"
      note={rows.length > 0 ? `${enabled} of ${rows.length} enabled` : undefined}
      footer={{
        hints: ['Space to toggle', 'Esc to close', 'e to enable all', 'd to disable all'],
      }}
    >
      <FillBox
        head={<ErrorText text={saving.problem} />}
        foot={
          problems > 0 ? (
            <Text color={theme.status.warning}>Some hooks cannot run: gemini doctor names them.</Text>
          ) : null
        }
      >
        {rows.length === 0 ? (
          <Text>No hooks are configured.</Text>
        ) : (
          <ToggleList toggles={rows.map(toggleOf)} index={index} />
        )}
      </FillBox>
    </DialogFrame>
  );
}

function toggleOf(row: HookRow) {
  const { event, name, command, description, enabled } = row;
  const about = [
    hookFacts(row),
    command !== undefined && command !== name ? cleanLine(command) : '',
    description ? cleanLine(description) : '',
  ];
  return {
    label: `${event}: ${cleanLine(name)}`,
    detail: about.filter((line) => line !== '').join('\n'),
    isOn: enabled,
  };
}

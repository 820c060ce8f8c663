/** The settings found, each as `label … value`, and the description of the selected one. */
import { Box, Text } from 'ink';
import { ListWindow } from '../../components/ListWindow.js';
import { Paragraph, paragraphRows } from '../../components/Paragraph.js';
import { Room, useRoom } from '../../components/Room.js';
import { cutText, widthOf } from '../../text/columns.js';
import { useLook, useTheme } from '../../use-look.js';
import type { DialogSetting, Scope, ShownSetting } from './values.js';

export interface SettingListProps {
  entries: readonly DialogSetting[];
  index: number;
  isFocused: boolean;
  shown(entry: DialogSetting): ShownSetting;
}

/** With fewer rows the list has no room for an explanation. */
const MIN_ROWS = 5;
const MAX_DESCRIPTION_ROWS = 3;

export function SettingList({ entries, index, isFocused, shown }: SettingListProps) {
  const theme = useTheme();
  const { width, rows } = useRoom();
  const chosen = entries[index];
  if (!chosen) return <Text>Nothing matches.</Text>;
  const restart = chosen.needsRestart ? ' Needs a restart.' : '';
  const about = `${chosen.key}: ${chosen.description}${restart}`;
  const descriptionRows = rows < MIN_ROWS ? 0 : Math.min(MAX_DESCRIPTION_ROWS, paragraphRows(about, width));
  return (
    <>
      <Room rows={rows - descriptionRows}>
        <ListWindow count={entries.length} rowsOf={() => 1} index={index}>
          {(at) => {
            const entry = entries[at];
            const isChosen = at === index && isFocused;
            return entry && <SettingRow label={entry.label} shown={shown(entry)} isChosen={isChosen} />;
          }}
        </ListWindow>
      </Room>
      {descriptionRows > 0 && (
        <Box height={descriptionRows} overflowY="hidden" flexShrink={0}>
          <Paragraph text={about} color={theme.text.secondary} />
        </Box>
      )}
    </>
  );
}

const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  user: 'User',
  workspace: 'Workspace',
  system: 'System',
};

function SettingRow(props: { label: string; shown: ShownSetting; isChosen: boolean }) {
  const { isChosen, shown } = props;
  const { width, screenReader } = useLook();
  const theme = useTheme();
  const elsewhere = shown.elsewhere.map((scope) => SCOPE_NAMES[scope]).join(', ');
  if (screenReader) {
    const parts = [
      `${props.label}: ${shown.text || 'not set'}`,
      shown.isSetHere && 'set here',
      elsewhere && `set in ${elsewhere}`,
      isChosen && 'selected',
    ];
    return <Text wrap="truncate">{parts.filter(Boolean).join(', ')}</Text>;
  }
  const where = elsewhere && ` (set in ${elsewhere})`;
  const text = `${shown.text || '(not set)'}${shown.isSetHere ? '*' : ''}${where}`;
  const value = cutText(text, Math.max(6, Math.floor(width / 2)));
  const label = cutText(props.label, Math.max(1, width - 4 - widthOf(value)));
  const dots = '.'.repeat(Math.max(1, width - 4 - widthOf(label) - widthOf(value)));
  return (
    <Text wrap="truncate">
      <Text bold={isChosen} color={isChosen ? theme.ui.focus : theme.text.primary}>
        {`${isChosen ? '● ' : '  '}${label}`}
      </Text>
      <Text color={theme.ui.comment}>{` ${dots} `}</Text>
      <Text color={shown.isSetHere ? theme.text.accent : theme.text.secondary}>{value}</Text>
    </Text>
  );
}

/** The question for edits, commands, sandbox permissions, information and MCP: details, question, numbered answers. */
import { ToolConfirmationOutcome, type ToolConfirmationPayload } from '@gemini-cli/core';
import { useMemo, useState } from 'react';
import { DialogFrame } from '../components/DialogFrame.js';
import { keyName } from '../components/key-name.js';
import { Paragraph } from '../components/Paragraph.js';
import type { RadioItem } from '../components/RadioButtonSelect.js';
import { Room, useRoom } from '../components/Room.js';
import { useDialogKeys } from '../components/use-dialog-keys.js';
import { isCommand } from '../keys/bindings.js';
import { useLook, useTheme } from '../use-look.js';
import { bodyLines, remarkOf } from './body.js';
import { choicesFor, projectChoicesFor } from './choices.js';
import { DetailsAndAnswer } from './DetailsAndAnswer.js';
import { DetailsHead } from './DetailsHead.js';
import { noteOf, type ToolConfirmationMessageProps } from './props.js';
import { ToolAnswer, type View } from './ToolAnswer.js';

const { Cancel, ModifyWithEditor } = ToolConfirmationOutcome;

export function ToolQuestion(props: ToolConfirmationMessageProps) {
  const { confirmationDetails: details, fullRows, onAnswer } = props;
  const { rows } = useRoom();
  const isModifying = details.type === 'edit' && details.isModifying === true;
  const [view, setView] = useState<View>(isModifying ? 'editor' : 'choices');
  const answer = (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => {
    setView(outcome === ModifyWithEditor ? 'editor' : 'answered');
    onAnswer(outcome, payload);
  };
  useDialogKeys({
    onKey: (key) => {
      if (view === 'answered' || view === 'editor') return false;
      const isBack = view === 'project' && isCommand(key, 'cursor.left');
      if (isBack || isCommand(key, 'basic.cancel')) {
        if (view === 'choices') answer(Cancel);
        else setView('choices');
      } else if (view !== 'feedback' && isCommand(key, 'app.showMoreLines')) {
        setView(view === 'full' ? 'choices' : 'full');
      } else if (view === 'choices' && isCommand(key, 'nav.dialog.next')) setView('feedback');
      else return view === 'full' && !key.ctrl;
      return true;
    },
  });
  return (
    <Room rows={view === 'full' ? (fullRows ?? rows) : rows}>
      <DialogFrame
        title="Action Required"
        note={noteOf(props)}
        tone="warning"
        footer={{ hints: hintsFor(view) }}
      >
        <DetailsAndChoices
          {...props}
          view={view}
          onAnswer={answer}
          onOpenProject={() => setView('project')}
        />
      </DialogFrame>
    </Room>
  );
}

function hintsFor(view: View): string[] {
  const [confirm, cancel] = [keyName('basic.confirm'), keyName('basic.cancel')];
  const more = keyName('app.showMoreLines');
  switch (view) {
    case 'choices':
      return [
        `${confirm} to select`,
        `${cancel} to refuse`,
        `${keyName('nav.dialog.next')} to refuse and say why`,
        `${more} to see all`,
      ];
    case 'project':
      return [`${confirm} to select`, `${cancel} to go back`, `${more} to see all`];
    case 'full':
      return [
        `${more} for the choices`,
        `${keyName('scroll.pageUp')}, ${keyName('scroll.pageDown')} to scroll`,
      ];
    case 'feedback':
      return [`${confirm} to refuse and send`, `${cancel} to go back`];
    default:
      return [];
  }
}

/** With fewer rows the blank row is dropped. */
const TIGHT_ROWS = 14;
const RULE_ROWS = 3;

function DetailsAndChoices({
  view,
  onAnswer,
  onOpenProject,
  ...props
}: Omit<ToolConfirmationMessageProps, 'index' | 'total'> & { view: View; onOpenProject(): void }) {
  const { confirmationDetails: details, toolName, cwd } = props;
  const look = useLook();
  const theme = useTheme();
  const { width, rows } = useRoom();
  const isTight = rows < TIGHT_ROWS;
  const remark = remarkOf(details, cwd);
  const body = useMemo(() => bodyLines(look, details), [look, details]);
  const lines = [...(body.length > 0 && !isTight ? [''] : []), ...body, ...(remark ? [''] : [])];
  const choices = useMemo(() => choicesFor(details, toolName), [details, toolName]);
  const projectChoices = useMemo(() => projectChoicesFor(details, toolName), [details, toolName]);
  const shown: readonly RadioItem<unknown>[] = view === 'project' ? projectChoices : choices;
  // A rule is always shown whole; if it does not fit beside its answer, it scrolls with the details.
  const hasRules =
    view !== 'full' && !isTight && shown.every(({ detail = '' }) => detail.length <= RULE_ROWS * width);
  const rules = shown.flatMap(({ label, detail }) => (detail ? [`${label}: ${detail}`] : []));
  const below = [...(remark ? [remark] : []), ...(hasRules ? [] : rules)];
  return (
    <DetailsAndAnswer
      above={<DetailsHead {...props} />}
      lines={lines}
      below={below.map((text) => <Paragraph key={text} text={text} color={theme.text.secondary} />)}
    >
      {(onScrollKey) => (
        <ToolAnswer
          view={view}
          details={details}
          choices={hasRules ? choices : withoutRules(choices)}
          projectChoices={hasRules ? projectChoices : withoutRules(projectChoices)}
          onOpenProject={onOpenProject}
          onScrollKey={onScrollKey}
          onAnswer={onAnswer}
        />
      )}
    </DetailsAndAnswer>
  );
}

function withoutRules<T>(choices: readonly RadioItem<T>[]): RadioItem<T>[] {
  return choices.map((choice) => ({ ...choice, detail: undefined }));
}

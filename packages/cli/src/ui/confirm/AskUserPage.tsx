/** One of the model's questions, or the page to review the answers. */
import { visibleText } from '@gemini-cli/core';
import { Box, Text } from 'ink';
import { entryRows, ListEntry, type ListEntryProps } from '../components/ListEntry.js';
import { ListWindow } from '../components/ListWindow.js';
import { MaxSizedBox } from '../components/MaxSizedBox.js';
import { Paragraph, paragraphRows } from '../components/Paragraph.js';
import { Room, useRoom } from '../components/Room.js';
import { TextField } from '../components/TextField.js';
import { useLook, useTheme } from '../use-look.js';
import {
  type AskState,
  answerText,
  entriesOf,
  type Given,
  isMulti,
  optionsOf,
  type Question,
} from './ask-user-state.js';

export interface AskUserPageProps {
  questions: readonly Question[];
  systemMessage?: string | undefined;
  state: AskState;
  /** False once the answers are sent. */
  isActive: boolean;
  onType(own: string): void;
}

export function AskUserPage({ questions, systemMessage = '', state, ...input }: AskUserPageProps) {
  const question = questions[state.page];
  const given = state.given[state.page];
  if (!question || !given) return <Review questions={questions} state={state} />;
  return <QuestionPage message={visibleText(systemMessage)} question={question} given={given} {...input} />;
}

interface QuestionPageProps extends Pick<AskUserPageProps, 'isActive' | 'onType'> {
  message: string;
  question: Question;
  given: Given;
}

/** Rows that a long question leaves to the answers. */
const ANSWER_ROWS = 4;

function QuestionPage({ message, question, given, isActive, onType }: QuestionPageProps) {
  const look = useLook();
  const theme = useTheme();
  const { width, rows } = useRoom();
  const asked = visibleText(question.question);
  const kinds = entriesOf(question);
  const entries = kinds.map((_, index) => entryOf(question, given, index, look.screenReader));
  const rowsOf = (index: number) => {
    const entry = entries[index];
    return entry && kinds[index] !== 'own' ? entryRows(entry, width) : 1;
  };
  const wanted = entries.reduce((sum, _, index) => sum + rowsOf(index), 0);
  const mostHead = Math.max(1, rows - Math.min(wanted, Math.max(ANSWER_ROWS, rows - 3)));
  const head = Math.min(mostHead, paragraphRows(message, width) + paragraphRows(asked, width));
  return (
    <>
      <MaxSizedBox maxHeight={mostHead}>
        {message !== '' && <Paragraph text={message} />}
        <Paragraph text={asked} color={theme.text.primary} bold />
      </MaxSizedBox>
      <ListWindow count={entries.length} rowsOf={rowsOf} index={given.index} rows={rows - head}>
        {(index) => {
          const entry = entries[index];
          if (!entry) return null;
          if (kinds[index] !== 'own') return <ListEntry {...entry} />;
          return (
            <OwnAnswer
              {...entry}
              initial={given.own}
              placeholder={visibleText(question.placeholder ?? '') || 'Type your own answer'}
              isActive={isActive}
              onType={onType}
            />
          );
        }}
      </ListWindow>
    </>
  );
}

function entryOf(question: Question, given: Given, index: number, screenReader: boolean): ListEntryProps {
  const kind = entriesOf(question)[index];
  const options = optionsOf(question);
  const isChosen = given.index === index;
  const isTicked = kind === 'all' ? given.ticked.length === options.length : given.ticked.includes(index);
  const hasTick = isMulti(question) && (kind === 'option' || kind === 'all');
  const tick = screenReader ? (isTicked ? 'ticked: ' : 'not ticked: ') : isTicked ? '[x] ' : '[ ] ';
  const option = options[index];
  const label =
    kind === 'all' ? 'All of the above' : kind === 'done' ? 'Done' : visibleText(option?.label ?? '');
  return {
    lead: `${screenReader ? '' : isChosen ? '● ' : '  '}${index + 1}. ${hasTick ? tick : ''}`,
    label: screenReader && isChosen ? `${label}, selected` : label,
    detail: visibleText(option?.description ?? ''),
    isChosen,
  };
}

interface OwnAnswerProps extends ListEntryProps, Pick<AskUserPageProps, 'isActive' | 'onType'> {
  initial: string;
  placeholder: string;
}

function OwnAnswer({ lead, isChosen, initial, placeholder, isActive, onType }: OwnAnswerProps) {
  const { width } = useRoom();
  const { screenReader } = useLook();
  const theme = useTheme();
  const start = screenReader && isChosen ? `${lead}selected: ` : lead;
  return (
    <Box flexShrink={0}>
      <Text color={isChosen ? theme.ui.focus : theme.text.primary} bold={isChosen}>
        {start}
      </Text>
      <Room width={width - start.length} rows={1}>
        <TextField
          initial={initial}
          placeholder={placeholder}
          isFocused={isChosen && isActive}
          onChange={onType}
        />
      </Room>
    </Box>
  );
}

function Review({ questions, state }: Pick<AskUserPageProps, 'questions' | 'state'>) {
  const { rows } = useRoom();
  const { screenReader } = useLook();
  const { status, text, ui } = useTheme();
  const answers = questions.map((question, number) => {
    const answer = answerText(question, state.given[number]);
    const color = answer === undefined ? status.warning : text.primary;
    return { number, header: question.header, answer, color };
  });
  return (
    <>
      <MaxSizedBox maxHeight={Math.max(1, rows - 1)}>
        <Text>Your answers:</Text>
        {answers.map(({ number, header, answer = 'not answered', color }) => (
          <Paragraph
            key={number}
            text={visibleText(`${header}${screenReader ? ': ' : ' → '}${answer}`)}
            color={color}
          />
        ))}
      </MaxSizedBox>
      <Text color={ui.focus} bold>
        Enter to send them
      </Text>
    </>
  );
}

/** The single models of all providers. Typing searches; a digit that begins nothing chooses an entry. */
import { useState } from 'react';
import { ModelQuotaDisplay, type QuotaBucket } from '../../components/ModelQuotaDisplay.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question, type QuestionProps } from '../../components/Question.js';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { Spinner } from '../../components/Spinner.js';
import { useLoaded } from '../../components/use-loaded.js';
import type { Key } from '../../keys/key.js';
import { letterOf } from '../../keys/key-scope.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import { allModels, type ModelEntry, type ModelPort, matching, modelDetail, modelTitle } from './models.js';

export interface ManualModelsProps
  extends Required<Pick<QuestionProps<string>, 'onKey' | 'isActive' | 'onSelect' | 'children'>> {
  port: ModelPort;
  requested: string;
  quota: readonly QuotaBucket[];
  onBack(): void;
}

export function ManualModels({
  port,
  requested,
  quota,
  onKey,
  onBack,
  children,
  ...list
}: ManualModelsProps) {
  const { status } = useTheme();
  const others = useLoaded((signal) => port.others(signal), { keysWait: false });
  const [query, setQuery] = useState('');
  const single = port.list().filter(({ isAuto }) => !isAuto);
  const found = matching(allModels(single, others.value?.entries ?? []), query);
  const problems = [others.problem, ...(others.value?.problems ?? [])].filter(Boolean);
  const search = (key: Key) => {
    const next = edited(query, key);
    if (next !== undefined) setQuery(next);
    return next !== undefined;
  };
  return (
    <Question
      {...list}
      // A new search begins at its first entry.
      key={query}
      title="Select Model · Manual"
      footer={{
        primaryAction: 'Enter to select',
        cancelAction: query === '' ? 'Esc to go back' : 'Esc to show all',
        hints: ['type to search', 'Tab to remember it'],
      }}
      items={found.map((entry) => itemOf(entry, quota))}
      initial={query === '' ? requested : undefined}
      showNumbers={query === ''}
      onKey={(key, value) => search(key) || onKey(key, value)}
      onCancel={() => (query === '' ? onBack() : setQuery(''))}
    >
      {children}
      {problems.map((problem) => (
        <Paragraph key={problem} text={cleanLine(problem)} color={status.warning} />
      ))}
      {others.isLoading && <Spinner label="Asking other providers…" />}
      {query !== '' && (
        <Paragraph text={found.length > 0 ? `Search: ${query}` : `Nothing matches: ${query}`} />
      )}
    </Question>
  );
}

function itemOf(entry: ModelEntry, quota: readonly QuotaBucket[]): RadioItem<string> {
  const bucket = quota.find(({ model }) => model === entry.name);
  return {
    value: entry.name,
    label: modelTitle(entry),
    extra: bucket && <ModelQuotaDisplay bucket={bucket} />,
    detail: modelDetail(entry),
  };
}

/** The query after a key; undefined: the key is not for it. */
function edited(query: string, key: Key): string | undefined {
  if (key.name === 'backspace' && query !== '') return query.slice(0, -1);
  const letter = letterOf(key);
  const choosesEntry = query === '' && /^\d$/.test(letter);
  return letter <= ' ' || choosesEntry ? undefined : query + letter;
}

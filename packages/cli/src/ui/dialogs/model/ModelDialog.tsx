/** Chooses the model: one for all prompts, of any provider, or automatically for each. */
import { useState } from 'react';
import type { QuotaBucket } from '../../components/ModelQuotaDisplay.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question, type QuestionProps } from '../../components/Question.js';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { useAction } from '../../components/use-action.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { ManualModels } from './ManualModels.js';
import { autoDetail, type ModelEntry, type ModelPort, modelPort } from './models.js';

export interface ModelProps {
  port?: ModelPort;
  /** The model in use, and each model's remaining quota if the caller knows it. */
  modelVersion?: string;
  quotaDisplay?: readonly QuotaBucket[];
}

export function ModelDialog({ services, props, close }: DialogProps<ModelProps, string>) {
  const { config, switchModel, changeSetting } = services;
  const [port] = useState(() => props.port ?? (config && modelPort(config, services)));
  const [isManual, setIsManual] = useState(false);
  const [remembers, setRemembers] = useState(false);
  const switching = useAction();
  // Optional: if the server does not report quotas, none are shown.
  const asked = useLoaded(port && !props.quotaDisplay ? (signal) => port.quota(signal) : undefined, {
    keysWait: false,
  });
  const quota = props.quotaDisplay ?? asked.value ?? [];
  const entries = port?.list() ?? [];
  const requested = props.modelVersion ?? port?.requested ?? '';

  const take = async (model: string) => {
    const problem = await switchModel(model);
    if (problem !== undefined) throw new Error(problem);
    if (remembers) await changeSetting('user', 'model.name', model);
    close(model);
  };
  const shared = {
    onKey: (key) => {
      if (!isCommand(key, 'nav.dialog.next')) return false;
      setRemembers(!remembers);
      return true;
    },
    isActive: !switching.isRunning,
    children: <Notes problem={switching.problem} isKnown={port !== undefined} remembers={remembers} />,
  } satisfies Partial<QuestionProps<string>>;

  if (isManual && port) {
    return (
      <ManualModels
        {...shared}
        port={port}
        requested={requested}
        quota={quota}
        onSelect={(model) => switching.run(() => take(model))}
        onBack={() => setIsManual(false)}
      />
    );
  }
  const items = port ? mainItems(entries, requested) : [];
  return (
    <Question
      key="main"
      {...shared}
      title="Select Model"
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to close', hints: HINTS }}
      items={items}
      initial={items.some(({ value }) => value === requested) ? requested : MANUAL}
      onSelect={(model) => (model === MANUAL ? setIsManual(true) : switching.run(() => take(model)))}
      onCancel={() => close()}
    />
  );
}

const HINTS = ['Tab to remember it'];
/** Not a model name. */
const MANUAL = '';

/** The auto names, and the entry that opens the single models; it names the single model in use. */
function mainItems(entries: readonly ModelEntry[], requested: string): RadioItem<string>[] {
  const autos = entries.filter(({ isAuto }) => isAuto);
  const isSingle = !autos.some(({ name }) => name === requested);
  return [
    ...autos.map((entry) => ({
      value: entry.name,
      label: cleanLine(entry.displayName),
      detail: autoDetail(entry),
    })),
    {
      value: MANUAL,
      label: isSingle ? `Manual (${cleanLine(requested)})` : 'Manual',
      detail: 'One model for all prompts.',
    },
  ];
}

function Notes(props: { problem: string; isKnown: boolean; remembers: boolean }) {
  const { status, text } = useTheme();
  return (
    <>
      {props.problem !== '' && <Paragraph text={cleanLine(props.problem)} color={status.error} />}
      {!props.isKnown && (
        <Paragraph text="The models are not known before the program has started." color={status.warning} />
      )}
      <Paragraph
        text={`Remember for future sessions: ${props.remembers ? 'yes' : 'no'} (Tab)`}
        color={text.secondary}
      />
    </>
  );
}

/** Which model answers: chosen for each prompt, or one for all. */
import { messageOf } from '@gemini-cli/core';
import { useEffect } from 'react';
import { isCommand } from '../../keys/bindings.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import {
  type ModelChoice,
  type ModelPort,
  mainChoices,
  manualChoices,
  modelPort,
  type QuotaBucket,
} from './models.js';

export interface ModelProps {
  port?: ModelPort;
  /** The seed's names: the model in use, and what is left of each, where the caller knows. */
  modelVersion?: string;
  quotaDisplay?: readonly QuotaBucket[];
}

export function ModelDialog({ services, props, close }: DialogProps<ModelProps, string>) {
  const look = useLook();
  const { config, height } = services;
  const port = props.port ?? (config && modelPort(config));
  const view = useLiveState<'main' | 'manual'>('main');
  const remembers = useLiveState(false);
  const problem = useLiveState('');
  const isBusy = useLiveState(false);
  const quota = useLiveState<readonly QuotaBucket[]>(props.quotaDisplay ?? []);
  const width = innerWidth(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    if (!port || props.quotaDisplay) return undefined;
    const over = new AbortController();
    // Nice to have: where nobody tells, nothing is shown.
    port.quota(over.signal).then(
      (found) => quota.set(found),
      () => {},
    );
    return () => over.abort();
  }, []);

  const take = async (model: string) => {
    isBusy.set(true);
    try {
      const failure = await services.switchModel(model);
      if (failure === undefined && remembers.now) await services.changeSetting('user', 'model.name', model);
      if (failure === undefined) return close(model);
      problem.set(failure);
    } catch (error) {
      problem.set(messageOf(error));
    }
    isBusy.set(false);
  };
  const entries = port?.list() ?? [];
  const requested = props.modelVersion ?? port?.requested ?? '';
  const isMain = view.now === 'main';
  const choices = isMain ? mainChoices(entries, requested) : manualChoices(look, entries, quota.now);
  const note = (text: string, color: string) =>
    wrapText(cleanLine(text), width).map((row) => look.paint(row, { color }));
  const content = [
    ...(problem.now ? note(problem.now, look.theme.status.error) : []),
    ...(port
      ? []
      : note('The models are not known before the program has started.', look.theme.status.warning)),
    ...note(`Remember for future sessions: ${remembers.now ? 'yes' : 'no'} (Tab)`, look.theme.text.secondary),
  ];
  const current = choices.find(({ value }) => value !== 'manual' && value.model === requested)?.value;
  return (
    <Question<ModelChoice>
      key={view.now}
      title={isMain ? 'Select Model' : 'Select Model · Manual'}
      hint={['Enter to select', isMain ? 'Esc to close' : 'Esc to go back', 'Tab to remember it']}
      content={content}
      choices={port ? choices : []}
      initial={current ?? choices.at(isMain ? -1 : 0)?.value}
      height={height}
      isActive={!isBusy.now}
      onSelect={(value) => (value === 'manual' ? view.set('manual') : void take(value.model))}
      onCancel={() => (isMain ? close() : view.set('main'))}
      onKey={(key) => {
        if (!isCommand(key, 'nav.dialog.next')) return false;
        remembers.set(!remembers.now);
        return true;
      }}
    />
  );
}

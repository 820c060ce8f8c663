/** Whether the user trusts this folder, asked before anything of it is loaded. */
import { basename, dirname } from 'node:path';
import { type DiscoveryResults, loadFrontEnd, messageOf, type Variables } from '@gemini-cli/core';
import { useEffect, useMemo } from 'react';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import type { Choice } from '../../primitives/radio.js';
import { useSpinner } from '../../primitives/Spinner.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps, TrustLevel } from '../dialog.js';
import { discoveryLines } from './discovery-lines.js';

export interface TrustProps {
  discover?(folder: string): Promise<DiscoveryResults>;
  /** Opened by `/permissions`: Esc only closes, nothing has to be decided. */
  isReview?: boolean;
  current?: TrustLevel;
}

const EXPLANATION =
  'Trusting a folder lets it change how this program works: its settings, commands, hooks, MCP servers, skills, ' +
  'agents, policies, context files and .env are loaded, and what they say is done. Trust only what you know.';

export function FolderTrustDialog({ services, props, close }: DialogProps<TrustProps, TrustLevel>) {
  const look = useLook();
  const { cwd, env, height } = services;
  const { discover = (folder: string) => discoverHere(folder, env), isReview = false, current } = props;
  const found = useLiveState<DiscoveryResults | string | undefined>(undefined);
  const state = useLiveState<{ problem?: string; isBusy: boolean }>({ isBusy: false });
  const spinner = useSpinner(found.now === undefined);
  const width = innerWidth(look);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is looked at once
  useEffect(() => {
    discover(cwd).then(
      (results) => found.set(results),
      (error: unknown) => found.set(`The folder cannot be looked at: ${messageOf(error)}`),
    );
  }, [cwd]);
  const results = found.now;
  const listed = useMemo(() => {
    if (typeof results === 'object') return discoveryLines(look, results, width);
    if (typeof results === 'string') return wrapText(cleanLine(results), width);
    return undefined;
  }, [look, results, width]);

  const decide = async (level: TrustLevel) => {
    state.set({ isBusy: true });
    const problem = await services.setTrust(level);
    if (problem === undefined) close(level);
    else state.set({ problem, isBusy: false });
  };
  const { problem, isBusy } = state.now;
  const content = [
    ...(problem
      ? wrapText(cleanLine(problem), width).map((row) => look.paint(row, { color: look.theme.status.error }))
      : []),
    ...wrapText(cleanLine(cwd), width).map((row) => look.paint(row, { color: look.theme.text.accent })),
    ...wrapText(EXPLANATION, width),
    '',
    ...(listed ?? [`${spinner}Looking at what is here…`]),
    ...(height > ROOMY ? [''] : []),
  ];
  return (
    <Question
      title={isReview ? 'Permissions of this folder' : 'Do you trust this folder?'}
      hint={['Enter to select', isReview ? 'Esc to close' : 'Esc to exit', 'PageDown to scroll']}
      tone="warning"
      content={content}
      choices={trustChoices(cwd)}
      initial={current}
      height={height}
      isActive={!isBusy}
      onSelect={(level) => void decide(level)}
      onCancel={() => (isReview ? close() : services.quit())}
    />
  );
}

const ROOMY = 20;

export function trustChoices(cwd: string): Choice<TrustLevel>[] {
  const name = (path: string) => cleanLine(basename(path) || path);
  const parent = dirname(cwd);
  return [
    { value: 'TRUST_FOLDER', label: `Trust folder (${name(cwd)})` },
    ...(parent === cwd
      ? []
      : [{ value: 'TRUST_PARENT' as const, label: `Trust parent folder (${name(parent)})` }]),
    { value: 'DO_NOT_TRUST', label: "Don't trust" },
  ];
}

async function discoverHere(folder: string, env: Variables): Promise<DiscoveryResults> {
  const { discoverFolder, missingContainment } = await loadFrontEnd();
  const results = await discoverFolder(folder, env);
  const missing = missingContainment(env);
  return missing ? { ...results, securityWarnings: [...results.securityWarnings, missing] } : results;
}

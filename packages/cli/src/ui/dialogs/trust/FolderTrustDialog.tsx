/** Asks whether the user trusts this folder, before anything of it is loaded. */
import { basename, dirname } from 'node:path';
import {
  loadFrontEnd,
  type DiscoveryResults as Results,
  type TrustAnswer,
  type Variables,
} from '@gemini-cli/core';
import { Text } from 'ink';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { useRoom } from '../../components/Room.js';
import { Spinner } from '../../components/Spinner.js';
import { useAction } from '../../components/use-action.js';
import { useLoaded } from '../../components/use-loaded.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps, TrustLevel } from '../dialog.js';
import { DiscoveryResults } from './DiscoveryResults.js';

export interface FolderTrustProps {
  discover?(folder: string): Promise<Results>;
  /** Given by `/permissions`, to be shown; Esc only closes, no decision is needed. */
  current?: TrustAnswer;
}

const EXPLANATION =
  'Trusting a folder lets it change how this program works: its settings, commands, hooks, MCP servers, skills, ' +
  'agents, policies, context files and .env are loaded and obeyed. Trust only folders you know.';
const ROOMY = 20;

export function FolderTrustDialog({ services, props, close }: DialogProps<FolderTrustProps, TrustLevel>) {
  const { cwd, env, setTrust, quit } = services;
  const { discover = (folder) => discoverHere(folder, env), current } = props;
  const isReview = current !== undefined;
  const { rows } = useRoom();
  const theme = useTheme();
  const found = useLoaded(() => discover(cwd), { keysWait: false });
  const saving = useAction();
  const decide = async (level: TrustLevel) => {
    const problem = await setTrust(level);
    if (problem !== undefined) throw new Error(problem);
    close(level);
  };
  return (
    <Question
      title={isReview ? 'Permissions of this folder' : 'Do you trust this folder?'}
      footer={{ primaryAction: 'Enter to select', cancelAction: isReview ? 'Esc to close' : 'Esc to exit' }}
      tone="warning"
      items={trustItems(cwd)}
      initial={current && levelOf(current)}
      isActive={!saving.isRunning}
      onSelect={(level) => saving.run(() => decide(level))}
      onCancel={() => (isReview ? close() : quit())}
    >
      <ErrorText text={saving.problem} />
      <Paragraph text={cleanLine(cwd)} color={theme.text.accent} />
      {current && <Paragraph text={`Now: ${describe(current)}`} />}
      <Paragraph text={EXPLANATION} />
      <Text> </Text>
      {found.isLoading && <Spinner label="Looking at what is here…" />}
      {found.problem !== '' && <ErrorText text={`The folder cannot be looked at: ${found.problem}`} />}
      {found.value && <DiscoveryResults results={found.value} />}
      {rows > ROOMY && <Text> </Text>}
    </Question>
  );
}

function describe({ trusted, source }: TrustAnswer): string {
  const answer = trusted ? 'trusted' : 'not trusted';
  switch (source) {
    case 'flag':
      return `${answer} for this session (--skip-trust).`;
    case 'env':
      return `${answer} for this session (GEMINI_CLI_TRUST_WORKSPACE).`;
    case 'disabled':
      return `${answer}, because folder trust is disabled in your settings.`;
    case 'ide':
      return `${answer}, as your editor says.`;
    case 'file':
      return `${answer}.`;
    case 'none':
      return `${answer}, because you have not decided yet.`;
  }
}

/** The answer to select at first. */
function levelOf({ trusted, source }: TrustAnswer): TrustLevel | undefined {
  return !trusted && source === 'file' ? 'DO_NOT_TRUST' : undefined;
}

function trustItems(cwd: string): RadioItem<TrustLevel>[] {
  const name = (path: string) => cleanLine(basename(path) || path);
  const parent = dirname(cwd);
  const items: RadioItem<TrustLevel>[] = [
    { value: 'TRUST_FOLDER', label: `Trust folder (${name(cwd)})` },
    { value: 'TRUST_PARENT', label: `Trust parent folder (${name(parent)})` },
    { value: 'DO_NOT_TRUST', label: "Don't trust" },
  ];
  return parent === cwd ? items.filter(({ value }) => value !== 'TRUST_PARENT') : items;
}

async function discoverHere(folder: string, env: Variables): Promise<Results> {
  const { discoverFolder, missingContainment } = await loadFrontEnd();
  const results = await discoverFolder(folder, env);
  const missing = missingContainment(env);
  return missing ? { ...results, securityWarnings: [...results.securityWarnings, missing] } : results;
}

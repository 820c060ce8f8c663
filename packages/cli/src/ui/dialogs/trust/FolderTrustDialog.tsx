/** Asks whether the user trusts this folder, before anything of it is loaded. */
import { basename, dirname } from 'node:path';
import { loadFrontEnd, type DiscoveryResults as Results, type Variables } from '@gemini-cli/core';
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
  /** Opened by `/permissions`: Esc only closes, no decision is needed. */
  isReview?: boolean;
  current?: TrustLevel;
}

const EXPLANATION =
  'Trusting a folder lets it change how this program works: its settings, commands, hooks, MCP servers, skills, ' +
  'agents, policies, context files and .env are loaded and obeyed. Trust only folders you know.';
const ROOMY = 20;

export function FolderTrustDialog({ services, props, close }: DialogProps<FolderTrustProps, TrustLevel>) {
  const { cwd, env, setTrust, quit } = services;
  const { discover = (folder) => discoverHere(folder, env), isReview = false, current } = props;
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
      initial={current}
      isActive={!saving.isRunning}
      onSelect={(level) => saving.run(() => decide(level))}
      onCancel={() => (isReview ? close() : quit())}
    >
      <ErrorText text={saving.problem} />
      <Paragraph text={cleanLine(cwd)} color={theme.text.accent} />
      <Paragraph text={EXPLANATION} />
      <Text> </Text>
      {found.isLoading && <Spinner label="Looking at what is here…" />}
      {found.problem !== '' && <ErrorText text={`The folder cannot be looked at: ${found.problem}`} />}
      {found.value && <DiscoveryResults results={found.value} />}
      {rows > ROOMY && <Text> </Text>}
    </Question>
  );
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

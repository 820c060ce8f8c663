/** Changes an agent's settings by scope: whether it is enabled, its model, how it generates, its limits. */
import { type AgentDefinition, isObject, objectOf } from '@gemini-cli/core';
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';
import { SettingsDialog } from '../settings/SettingsDialog.js';
import type { DialogSetting } from '../settings/values.js';

export interface AgentConfigProps {
  name?: string;
  displayName?: string;
  definition?: AgentDefinition;
}

export function AgentConfigDialog({ services, props, close }: DialogProps<AgentConfigProps>) {
  const { name, displayName = name, definition } = props;
  if (name === undefined || definition === undefined || displayName === undefined) {
    return (
      <Pager title="Agent configuration" onClose={() => close()}>
        <Paragraph text="Choose an agent: /agents config <name>. /agents list shows their names." />
      </Pager>
    );
  }
  const known = Object.keys(objectOf(services.settings.merged.agents?.overrides));
  const same = (key: string) => key.replaceAll('_', '-') === name.replaceAll('_', '-');
  const entries = agentSettings(known.find(same) ?? name, definition);
  return (
    <SettingsDialog
      services={services}
      props={{ entries, title: `Agent: ${cleanLine(displayName)}` }}
      close={() => close()}
    />
  );
}

interface Field {
  key: string;
  label: string;
  description: string;
  kind: 'boolean' | 'number' | 'string';
  default: unknown;
  minimum?: number;
  maximum?: number;
}

/** @param key the agent's name, as `agents.overrides` spells it */
function agentSettings(key: string, definition: AgentDefinition): DialogSetting[] {
  return fieldsOf(definition).map((field) => ({
    ...field,
    key: `agents.overrides.${key}.${field.key}`,
    section: 'agents',
    values: [],
    // A change takes effect at the next run of the agent.
    needsRestart: false,
    isUserOnly: false,
  }));
}

function fieldsOf(definition: AgentDefinition): Field[] {
  const enabled: Field = {
    key: 'enabled',
    label: 'Enabled',
    description: 'The agent can be used.',
    kind: 'boolean',
    default: definition.experimental !== true,
  };
  // A remote agent has its model and its limits on its server.
  if (definition.kind === 'remote') return [enabled];
  const { modelConfig, runConfig } = definition;
  const settings: Record<string, unknown> = isObject(modelConfig.settings) ? modelConfig.settings : {};
  const generation = (key: string, label: string, description: string, maximum?: number): Field => ({
    key: `modelConfig.generateContentConfig.${key}`,
    label,
    description,
    kind: 'number',
    default: settings[key],
    minimum: 0,
    ...(maximum !== undefined && { maximum }),
  });
  return [
    enabled,
    {
      key: 'modelConfig.model',
      label: 'Model',
      description: 'A model or preset; "inherit" is the model of the conversation.',
      kind: 'string',
      default: modelConfig.model ?? 'inherit',
    },
    generation('temperature', 'Temperature', 'From 0 (the same answers) to 2 (varied ones).', 2),
    generation('topP', 'Top P', 'Share of likely words to choose from.', 1),
    generation('topK', 'Top K', 'Number of likely words to choose from.'),
    generation('maxOutputTokens', 'Max output tokens', 'Longest answer of one request.'),
    {
      key: 'runConfig.maxTimeMinutes',
      label: 'Max minutes',
      description: 'Longest run; time that waits for you does not count.',
      kind: 'number',
      default: runConfig.maxTimeMinutes,
      minimum: 1,
    },
    {
      key: 'runConfig.maxTurns',
      label: 'Max turns',
      description: 'Most model requests of a run.',
      kind: 'number',
      default: runConfig.maxTurns,
      minimum: 1,
    },
  ];
}

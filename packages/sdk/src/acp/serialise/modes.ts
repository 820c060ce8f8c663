/** Approval modes and models as a client lists them. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { ApprovalMode, type Config, setting } from '@gemini-cli/core';

export type ModesHost = Pick<
  Config,
  'getApprovalMode' | 'isYoloModeDisabled' | 'isTrustedFolder' | 'getModelCatalog' | 'parameters'
>;

const MODES: Readonly<Record<ApprovalMode, { name: string; description: string }>> = {
  [ApprovalMode.DEFAULT]: { name: 'Default', description: 'Asks before a tool changes anything' },
  [ApprovalMode.AUTO_EDIT]: { name: 'Auto Edit', description: 'Edits files of the workspace without asking' },
  [ApprovalMode.PLAN]: { name: 'Plan', description: 'Reads and plans; changes nothing' },
  [ApprovalMode.YOLO]: { name: 'YOLO', description: 'Runs every tool without asking' },
};

const ORDER = [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.PLAN, ApprovalMode.YOLO];

export function modeState(config: ModesHost): SessionModeState {
  const currentModeId = config.getApprovalMode();
  const isOffered = (mode: ApprovalMode) => {
    if (mode === currentModeId) return true;
    if (mode === ApprovalMode.PLAN)
      return setting(config.parameters.settings?.merged ?? {}, 'general.plan.enabled');
    if (mode === ApprovalMode.YOLO) return config.isTrustedFolder() && !config.isYoloModeDisabled();
    return mode === ApprovalMode.DEFAULT || config.isTrustedFolder();
  };
  return {
    availableModes: ORDER.filter(isOffered).map((id) => ({ id, ...MODES[id] })),
    currentModeId,
  };
}

/** `session/new` of protocol version 1 has no such field in its stable form; clients know it as `models`. */
export interface ModelState {
  availableModels: { modelId: string; name: string; description?: string }[];
  currentModelId: string;
}

const AUTO = { modelId: 'auto', name: 'Auto', description: 'Chooses the model for each prompt' };

export function modelState(config: ModesHost): ModelState {
  const currentModelId = config.parameters.model || AUTO.modelId;
  const listed = config.getModelCatalog().list().map(entryOf);
  const others = listed.filter(({ modelId }) => modelId !== AUTO.modelId);
  const isListed = [AUTO, ...others].some(({ modelId }) => modelId === currentModelId);
  const own = isListed ? [] : [{ modelId: currentModelId, name: currentModelId }];
  return { availableModels: [AUTO, ...others, ...own], currentModelId };
}

function entryOf({
  name,
  displayName,
  description,
}: ReturnType<ReturnType<ModesHost['getModelCatalog']>['list']>[number]) {
  return { modelId: name, name: displayName, ...(description && { description }) };
}

/** The same two choices as config options. */
export function configOptions(modes: SessionModeState, models: ModelState): SessionConfigOption[] {
  return [
    {
      id: 'mode',
      name: 'Mode',
      description: 'What runs without asking',
      category: 'mode',
      type: 'select',
      currentValue: modes.currentModeId,
      options: modes.availableModes.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: models.currentModelId,
      options: models.availableModels.map(({ modelId, name, description }) => ({
        value: modelId,
        name,
        ...(description && { description }),
      })),
    },
  ];
}

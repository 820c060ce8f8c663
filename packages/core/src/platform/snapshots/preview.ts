/** Adds diffs of text files to the plan of an undo. */
import { basename } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import type { PlanWithTexts } from './engine.js';
import type { StepTexts } from './step-texts.js';
import type { PreviewStep, UndoPreview, UndoStep } from './types.js';

/** A diff of large texts with little in common would take minutes. */
const DIFF_TIME_MS = 200;

export async function previewOf({ snapshots, steps, texts }: PlanWithTexts): Promise<UndoPreview> {
  const shown: PreviewStep[] = [];
  for (const [index, step] of steps.entries()) shown.push(await withDiff(step, texts[index] ?? null));
  return { snapshots, steps: shown };
}

async function withDiff(step: UndoStep, texts: StepTexts | null): Promise<PreviewStep> {
  if (step.status !== 'ready' || step.action === 'move') return step;
  if (texts === null) return hasContent(step) ? { ...step, isBinary: true } : step;
  const { structuredPatch, formatPatch } = await import('diff');
  // A line break in the name would break the patch format.
  const name = visibleName(basename(step.path));
  const patch = structuredPatch(name, name, texts.now, texts.target, 'now', 'after undo', {
    context: 3,
    timeout: DIFF_TIME_MS,
  });
  return patch ? { ...step, diff: formatPatch(patch) } : step;
}

function hasContent({ action, now, target }: UndoStep): boolean {
  return action !== 'mode' && (now?.kind === 'file' || target?.kind === 'file');
}

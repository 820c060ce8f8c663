/** One line about the progress that a server reports. */
import { headOf } from '../../base/cut-text.js';

const MAX_MESSAGE = 500;

export function progressLine({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number;
  message?: string;
}): string {
  const hasTotal = typeof total === 'number' && total > 0;
  const share = hasTotal
    ? `${progress}/${total} (${Math.min(100, Math.max(0, Math.round((progress / total) * 100)))}%)`
    : String(progress);
  return message ? `${headOf(message, MAX_MESSAGE)} ${share}` : share;
}

/** What is left of a model's quota, in one row. */
import { Text } from 'ink';
import { useLook, useTheme } from '../use-look.js';

export interface QuotaBucket {
  model: string;
  /** 0 to 1. */
  remainingFraction: number;
  resetTime?: string;
}

const BAR = 10;

export function ModelQuotaDisplay({ bucket }: { bucket: QuotaBucket }) {
  const { screenReader } = useLook();
  const theme = useTheme();
  const share = Math.min(1, Math.max(0, bucket.remainingFraction));
  const full = Math.round(share * BAR);
  const date = bucket.resetTime ? new Date(bucket.resetTime) : undefined;
  const reset = date && !Number.isNaN(date.getTime()) ? `, resets ${date.toLocaleString()}` : '';
  return (
    <Text color={theme.text.secondary} wrap="truncate">
      {screenReader ? '' : `${'█'.repeat(full)}${'░'.repeat(BAR - full)} `}
      {`${Math.round(share * 100)}% left${reset}`}
    </Text>
  );
}

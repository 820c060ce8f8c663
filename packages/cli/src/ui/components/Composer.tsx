/** The input box with its suggestions. Keys go to its store; the screen draws the same lines without React. */
import { useSyncExternalStore } from 'react';
import { type InputParts, inputArea } from '../composer/input-area.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';

export interface ComposerProps extends InputParts {
  maxRows?: number;
}

export function Composer({ maxRows = 15, ...parts }: ComposerProps) {
  const look = useLook();
  const { composer, completer } = parts;
  useSyncExternalStore(composer.subscribe, composer.getState);
  useSyncExternalStore(completer.subscribe, completer.getState);
  return <Lines lines={inputArea(parts, look, maxRows).lines} />;
}

/**
 * Keys of the components in an open dialog or question. The innermost active component is asked first, like bubbling
 * events. Typed text stays in the dialog; app keys (Ctrl+C, Ctrl+Y, …) pass.
 */
import { createContext } from 'react';
import type { InputEvent, Key } from './key.js';
import { InputRouter, type TakesText } from './router.js';

export interface KeyListener {
  onKey(key: Key): boolean;
  onPaste?: ((text: string) => boolean) | undefined;
  /** True where text is expected. Absent: never. */
  takesText?: TakesText | undefined;
}

export interface KeyScopePorts {
  /** True when keys can be delivered: a component listens and nothing is loading. */
  onReady?(): void;
  /** Keys wait until this resolves: it may close the dialog, and later keys are for the input then. */
  onBusy?(work: Promise<unknown>): void;
}

export class KeyScope {
  private readonly listeners = new Map<number, KeyListener>();
  private readonly loading = new Set<object>();
  private lastPlace = 0;
  private unregister: (() => void) | undefined;

  constructor(
    private readonly router = new InputRouter(),
    private readonly ports: KeyScopePorts = {},
  ) {}

  /** Called during a component's first render, so parents register before their children. */
  nextPlace(): number {
    return ++this.lastPlace;
  }

  listen(place: number, listener: KeyListener): () => void {
    this.listeners.set(place, listener);
    this.unregister ??= this.router.add(
      (event) => this.handle(event),
      (event) => this.innermostFirst().some(({ takesText }) => takesText?.(event) ?? false),
    );
    this.tellWhenReady();
    return () => {
      this.listeners.delete(place);
      if (this.listeners.size > 0) return;
      this.unregister?.();
      this.unregister = undefined;
    };
  }

  /** Holds keys back until their meaning is known. @returns releases them */
  startLoading(): () => void {
    const mark = {};
    this.loading.add(mark);
    return () => {
      this.loading.delete(mark);
      this.tellWhenReady();
    };
  }

  holdDuring(work: Promise<unknown>): void {
    this.ports.onBusy?.(work);
  }

  private handle(event: InputEvent): boolean {
    if (event.kind !== 'key' && event.kind !== 'paste') return false;
    for (const { onKey, onPaste } of this.innermostFirst())
      if (event.kind === 'key' ? onKey(event) : onPaste?.(event.text)) return true;
    return event.kind === 'paste' || isTyped(event);
  }

  private innermostFirst(): KeyListener[] {
    return [...this.listeners].sort(([one], [other]) => other - one).map(([, listener]) => listener);
  }

  /** Runs after all effects of a commit, one of which may start loading. */
  private tellWhenReady(): void {
    queueMicrotask(() => {
      if (this.listeners.size > 0 && this.loading.size === 0) this.ports.onReady?.();
    });
  }
}

export const KeyScopeContext = createContext(new KeyScope());

/** A stray key must not reach the prompt below. */
function isTyped(key: Key): boolean {
  const isPlain = !key.ctrl && !key.alt && !key.cmd;
  return isPlain && (key.text !== '' || key.name === 'enter' || key.name === 'escape');
}

/** The typed letter, if no modifier but Shift is held. */
export function letterOf(key: Key): string {
  return key.ctrl || key.alt || key.cmd ? '' : key.text;
}

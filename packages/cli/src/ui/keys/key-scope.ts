/**
 * Keys of the components in an open dialog or question. The innermost component that is active is asked first, as events
 * bubble elsewhere; what is typed stays with the dialog, keys of the app (Ctrl+C, Ctrl+Y, …) pass.
 */
import { createContext } from 'react';
import type { InputEvent, Key } from './key.js';
import { InputRouter, type TakesText } from './router.js';

export interface KeyListener {
  onKey(key: Key): boolean;
  onPaste?: ((text: string) => boolean) | undefined;
  /** True while text is more than a stray letter here. Absent: never. */
  takesText?: TakesText | undefined;
}

export interface KeyScopePorts {
  /** Keys can be delivered: something listens, and nothing is being loaded. */
  onReady?(): void;
  /** Keys wait until this is over: it may close the dialog, and what follows is for the input then. */
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

  /** Asked for while a component is first rendered, so parents come before their children. */
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

  /** What it means to press a key is not known yet. @returns call it when it is */
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

  /** Once all effects of this commit have run: one of them may begin to load. */
  private tellWhenReady(): void {
    queueMicrotask(() => {
      if (this.listeners.size > 0 && this.loading.size === 0) this.ports.onReady?.();
    });
  }
}

export const KeyScopeContext = createContext(new KeyScope());

/** A stray key must not end up in the prompt below. */
function isTyped(key: Key): boolean {
  const isPlain = !key.ctrl && !key.alt && !key.cmd;
  return isPlain && (key.text !== '' || key.name === 'enter' || key.name === 'escape');
}

/** The letter it types, where nothing but Shift is held. */
export function letterOf(key: Key): string {
  return key.ctrl || key.alt || key.cmd ? '' : key.text;
}

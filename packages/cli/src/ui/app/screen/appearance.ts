/** How this session looks, from settings, flags and what the terminal can do. */
import { type ColorDepth, detectColorDepth, hasTextAttributes } from '../../../terminal/color-depth.js';
import { writeToTerminal } from '../../../terminal/first-paint.js';
import { isDumbTerminal } from '../../../terminal/plain-paint.js';
import type { Look } from '../../look.js';
import type { App } from '../app.js';
import { lookMaker } from './look-maker.js';
import { ThemeChoice } from './theme-choice.js';

export interface Appearance {
  themes: ThemeChoice;
  look: () => Look;
  depth: ColorDepth;
  /** Of the input. */
  box: 'tint' | 'border';
  /** A screen of our own, given back at the end. */
  fullScreen: boolean;
  /** The terminal can only print. */
  isPlain: boolean;
}

export function makeAppearance(app: App, onChange: () => void): Appearance {
  const { ui } = app.settings;
  const { env } = app;
  const isPlain = isDumbTerminal(env);
  const wantsWords = app.options.line.flags['screen-reader'] ?? ui?.accessibility?.screenReader ?? false;
  const screenReader = wantsWords || isPlain;
  const themes = new ThemeChoice({
    settings: () => app.engine.folder.settings,
    env,
    write: writeToTerminal,
    warn: app.notice,
    onChange: () => {
      // Dialogs are drawn anew when the state changes; their colours are no part of it.
      app.store.dispatch({ type: 'look_changed' });
      onChange();
    },
  });
  const depth = detectColorDepth(env, process.stdout);
  const look = lookMaker({
    depth,
    hasAttributes: hasTextAttributes(env, process.stdout),
    theme: () => themes.current,
    settings: () => app.settings,
    screenReader,
  });
  return {
    themes,
    look: () => look(app.store.getState()),
    depth,
    box: depth === 'truecolor' && ui?.useBackgroundColor !== false ? 'tint' : 'border',
    fullScreen: (ui?.useAlternateBuffer ?? false) && !screenReader,
    isPlain,
  };
}

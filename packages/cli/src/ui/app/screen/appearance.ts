/** Theme, colours and kind of screen, from settings, flags and what the terminal supports. */
import { type ColorDepth, detectColorDepth, hasTextAttributes } from '../../../terminal/color-depth.js';
import { writeToTerminal } from '../../../terminal/first-paint.js';
import { isDumbTerminal } from '../../../terminal/plain-paint.js';
import type { Look } from '../../look.js';
import type { AppContext } from '../context/app-context.js';
import { lookMaker } from './look-maker.js';
import { ThemeChoice } from './theme-choice.js';

export interface Appearance {
  themes: ThemeChoice;
  look: () => Look;
  depth: ColorDepth;
  /** How the edge of the input is drawn. */
  box: 'tint' | 'border';
  /** Alternate buffer. */
  fullScreen: boolean;
  /** The terminal can only print. */
  isPlain: boolean;
}

export function makeAppearance(context: AppContext): Appearance {
  const { env, line, notice, store } = context;
  const { ui } = context.settings;
  const isPlain = isDumbTerminal(env);
  const screenReader = (line.flags['screen-reader'] ?? ui?.accessibility?.screenReader ?? false) || isPlain;
  const themes = new ThemeChoice({
    settings: () => context.folder.settings,
    extensionThemes: async () =>
      (await context.folder.extensions()).extensions.flatMap(({ isActive, name, themes }) =>
        isActive && themes ? [{ extension: name, themes }] : [],
      ),
    env,
    write: writeToTerminal,
    warn: notice,
    // Everything is drawn again when the state changes; the theme is not part of it.
    onChange: () => store.dispatch({ type: 'look_changed' }),
  });
  const depth = detectColorDepth(env, process.stdout);
  const look = lookMaker({
    depth,
    hasAttributes: hasTextAttributes(env, process.stdout),
    theme: () => themes.current,
    settings: () => context.settings,
    screenReader,
  });
  return {
    themes,
    look: () => look(store.getState()),
    depth,
    box: depth === 'truecolor' && ui?.useBackgroundColor !== false ? 'tint' : 'border',
    fullScreen: (ui?.useAlternateBuffer ?? false) && !screenReader,
    isPlain,
  };
}

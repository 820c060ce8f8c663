/**
 * Draws a small question off the screen while nothing else is to do. What draws the first real one is compiled then, and
 * kept with the compiled code of this run for the next (boot/code-cache.ts).
 */
import { Paragraph } from './components/Paragraph.js';
import { Question } from './components/Question.js';
import { RowsContext } from './components/Room.js';
import { loadDialog } from './dialogs/registry.js';
import { mountInk } from './ink-surface.js';
import type { Key } from './keys/key.js';
import { KeyScope, KeyScopeContext } from './keys/key-scope.js';
import { InputRouter } from './keys/router.js';
import type { Look } from './look.js';
import { LookContext } from './use-look.js';

const ROWS = 23;
/** Enough for V8 to compile what a key runs; more would cost memory. */
const KEYS = 10;
const DOWN: Key = {
  kind: 'key',
  name: 'down',
  text: '',
  sequence: '',
  ctrl: false,
  alt: false,
  shift: false,
  cmd: false,
};
const ITEMS = ['one', 'two', 'three', 'four', 'five', 'six'].map((value) => ({
  value,
  label: `Entry ${value}`,
  detail: `What entry ${value} is good for, in a few words.`,
}));

/** @param mayGoOn false: a real one is wanted now */
export async function warmUp(look: Look, mayGoOn: () => boolean): Promise<void> {
  await Promise.all([loadDialog('model'), loadDialog('theme')]);
  const router = new InputRouter();
  const surface = mountInk(
    <KeyScopeContext.Provider value={new KeyScope(router)}>
      <LookContext.Provider value={look}>
        <RowsContext.Provider value={ROWS}>
          <Question title="Question" items={ITEMS} onSelect={ignored} onCancel={ignored}>
            <Paragraph text="Something to read." />
          </Question>
        </RowsContext.Provider>
      </LookContext.Provider>
    </KeyScopeContext.Provider>,
    {
      size: () => ({ columns: look.width, rows: ROWS }),
      onFrame: ignored,
      hasAttributes: look.hasAttributes,
    },
  );
  for (let key = 0; key < KEYS && mayGoOn(); key++) {
    router.dispatch(DOWN);
    surface.flush();
    // Keys of the user are handled in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  surface.unmount();
}

function ignored(): void {
  // Nothing is at stake.
}

/** The open dialog: one at a time, opened by a command or by the program itself. */
import type { DialogName } from '../../../commands/dialog-name.js';
import type { Store } from '../../store/store.js';

export class Dialogs {
  private readonly closeListeners: ((name: DialogName, result: unknown) => void)[] = [];

  constructor(private readonly store: Store) {}

  /** @param isUnbidden the user has not just asked for it: keys on their way are not meant for it */
  open(
    name: DialogName,
    props: Record<string, unknown> = {},
    onClose?: (result: unknown) => void,
    { isUnbidden = false } = {},
  ): void {
    const dialog = { name, props, isUnbidden, ...(onClose && { onClose }) };
    this.store.dispatch({ type: 'dialog_opened', dialog });
  }

  /** A question of the program itself. @returns what the dialog was closed with */
  ask(name: DialogName, props: Record<string, unknown> = {}): Promise<unknown> {
    return new Promise((resolve) => this.open(name, props, resolve, { isUnbidden: true }));
  }

  close(result: unknown): void {
    const { dialog } = this.store.getState();
    if (!dialog) return;
    this.store.dispatch({ type: 'dialog_closed' });
    dialog.onClose?.(result);
    for (const listener of this.closeListeners) listener(dialog.name, result);
  }

  onClosed(listener: (name: DialogName, result: unknown) => void): void {
    this.closeListeners.push(listener);
  }

  withdraw(name: DialogName): void {
    if (this.store.getState().dialog?.name === name) this.close(undefined);
  }
}

/** `/auth signout`: the app ends the session and forgets the credentials. */
import type { Action } from './define.js';

export const signOut: Action = () => ({ type: 'logout' });

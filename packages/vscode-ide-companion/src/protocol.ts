/** Names that the program and the companion agree on. */
export const CONTEXT_UPDATE = 'ide/contextUpdate';
export const DIFF_ACCEPTED = 'ide/diffAccepted';
export const DIFF_REJECTED = 'ide/diffRejected';

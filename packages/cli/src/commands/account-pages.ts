/** Google's pages about plans and credits. */
export const PLANS_PAGE = 'https://codeassist.google.com/upgrade';
export const CREDITS_PAGE = 'https://one.google.com/ai';

/**
 * Google's addresses, in one place. Only code can replace them (tests do), never the environment: an `.env`
 * that redirects the token address could steal the refresh token.
 */
export interface GoogleEndpoints {
  /** Opened in the user's browser. */
  authorize: string;
  token: string;
  tokenInfo: string;
  userInfo: string;
  /** Shows the code that the user pastes when no browser can reach us. */
  manualRedirect: string;
  /** Tried in order; the name may not resolve everywhere. */
  metadata: readonly string[];
  /** Gives tokens of service accounts. */
  iamCredentials: string;
}

export const GOOGLE_ENDPOINTS: GoogleEndpoints = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  tokenInfo: 'https://oauth2.googleapis.com/tokeninfo',
  userInfo: 'https://www.googleapis.com/oauth2/v2/userinfo',
  manualRedirect: 'https://codeassist.google.com/authcode',
  metadata: ['http://169.254.169.254', 'http://metadata.google.internal'],
  iamCredentials: 'https://iamcredentials.googleapis.com',
};

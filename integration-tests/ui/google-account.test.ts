/** What the screen asks when Google's service refuses the account or its quota. */
import { expect, it, onTestFinished } from 'vitest';
import { type AuthAnswer, startOAuthServer, testRig } from '../test-utils.js';
import { command, LONG, startUi } from './ui.js';

const DOMAIN = 'cloudcode-pa.googleapis.com';
const ANSWER: AuthAnswer = {
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `data: ${JSON.stringify({
    response: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'all is done' }] }, finishReason: 'STOP' }],
    },
  })}\n\n`,
};

/** A question that comes while the user types is not answered by the keys: this makes it come later. */
const BUSY: AuthAnswer = {
  status: 503,
  body: { error: { code: 503, message: 'busy', details: [{ retryDelay: '0.8s' }] } },
};

async function accountScreen(refusal: AuthAnswer) {
  const server = await startOAuthServer();
  onTestFinished(() => server.close());
  const paidTier = { availableCredits: [{ creditType: 'GOOGLE_ONE_AI', creditAmount: '100' }] };
  const loaded = {
    currentTier: { id: 'free-tier', name: 'Free of charge' },
    cloudaicompanionProject: 'p',
    paidTier,
  };
  server.codeAssist.set('loadCodeAssist', [{ status: 200, body: loaded }]);
  server.codeAssist.set('streamGenerateContent', [BUSY, refusal, ANSWER]);
  const rig = await testRig({
    settings: { security: { auth: { selectedType: 'oauth-personal' } }, model: { name: 'gemini-2.5-flash' } },
    env: {
      GEMINI_API_KEY: undefined,
      GOOGLE_GEMINI_BASE_URL: undefined,
      GOOGLE_GENAI_USE_GCA: 'true',
      GOOGLE_CLOUD_ACCESS_TOKEN: server.issue().access_token,
      CODE_ASSIST_ENDPOINT: server.url,
      NO_BROWSER: 'true',
    },
  });
  const screen = await startUi(rig);
  await command(screen, 'hello');
  return screen;
}

function refused(status: number, reason: string, link?: string): AuthAnswer {
  const details = [{ reason, domain: DOMAIN }, ...(link ? [{ links: [{ url: link }] }] : [])];
  return { status, body: { error: { code: status, message: 'The service says no', details } } };
}

it('offers AI credits for a quota that is used up, and continues with them', {
  timeout: 60_000,
}, async () => {
  const screen = await accountScreen(refused(429, 'QUOTA_EXHAUSTED'));
  await screen.waitFor('Use AI credits', LONG);
  screen.press('Enter');
  await screen.waitFor('all is done', LONG);
  await command(screen, '/about');
  await screen.waitFor(/Tier\s+Free of charge/, LONG);
});

it('shows where to verify the account, and continues afterwards', { timeout: 60_000 }, async () => {
  const screen = await accountScreen(refused(403, 'VALIDATION_REQUIRED', 'https://verify.example/me'));
  await screen.waitFor('Your account needs verification', LONG);
  screen.press('Enter');
  await screen.waitFor('Continue with the verified account', LONG);
  expect(screen.text()).toContain('Open this address: https://verify.example/me');
  // Not Enter again: so soon after the first it would count as a key held down.
  screen.type('1');
  await screen.waitFor('all is done', LONG);
});

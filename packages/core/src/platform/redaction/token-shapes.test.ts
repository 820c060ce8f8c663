import { describe, expect, it } from 'vitest';
import { MASK, Redactor } from './redact.js';
import { makeRandom } from './redact.test-helper.js';

const random = makeRandom(11);
const letters = (count: number) => random.token(count).replace(/[^A-Za-z0-9]/g, 'x');
const hex = (count: number) =>
  Array.from({ length: count }, (_, i) => '0a1b2c3d4e5f6789'[(i * 7) % 16]).join('');
const capitals = (count: number) => 'Q3Z9'.repeat(count).slice(0, count);
const redact = (text: string) => new Redactor().redact(text);

/** The same in pieces of every small size. */
function redactInPieces(text: string, size: number): string {
  const stream = new Redactor().stream();
  let result = '';
  for (let at = 0; at < text.length; at += size) result += stream.push(text.slice(at, at + size));
  return result + stream.end();
}

const TOKENS: Record<string, string> = {
  SendGrid: `SG.${letters(22)}.${letters(43)}`,
  'Hugging Face': `hf_${letters(34)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Linear: `lin_api_${letters(40)}`,
  Notion: `ntn_${letters(46)}`,
  'Notion, older': `secret_${letters(43)}`,
  Shopify: `shpat_${hex(32)}`,
  Square: `sq0atp-${letters(22)}`,
  Mailgun: `key-${hex(32)}`,
  Mapbox: `sk.eyJ${letters(60)}.${letters(22)}`,
  Twilio: `SK${hex(32)}`,
  Databricks: `dapi${hex(32)}`,
  'New Relic': `NRAK-${capitals(27)}`,
  Vault: `hvs.${letters(90)}`,
  PlanetScale: `pscale_tkn_${letters(43)}`,
  Supabase: `sbp_${hex(40)}`,
  'Supabase, newer': `sb_secret_${letters(31)}`,
  Fly: `fo1_${letters(43)}`,
  Doppler: `dp.pt.${letters(43)}`,
  'Doppler service': `dp.st.dev.${letters(43)}`,
  age: `AGE-SECRET-KEY-1${capitals(58)}`,
  Atlassian: `ATATT3xFfGF0${letters(170)}`,
  'Slack app': `xapp-1-A0123456789-1234567890123-${letters(64)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${letters(80)}`,
  Heroku: `HRKU-AA${letters(58)}`,
  Cloudflare: `v1.0-${hex(24)}-${hex(146)}`,
  'GitLab runner': `glrt-${letters(20)}`,
  npm: `npm_${letters(36)}`,
  Anthropic: `sk-ant-api03-${letters(80)}`,
  OpenAI: `sk-proj-${letters(80)}`,
  'Google OAuth': `ya29.${letters(60)}`,
};

/** What stays readable, and what does not. */
const NAMED: [string, string, string][] = [
  ['Azure storage', 'AccountName=x;AccountKey=', `${letters(86)}==`],
  ['Azure service bus', 'SharedAccessKeyName=r;SharedAccessKey=', `${letters(43)}=`],
  ['Azure signature', 'blob?sv=2024-01-01&sig=', `${letters(43)}%3D`],
  ['Telegram', '123456789', `:AA${letters(33)}`],
  ['Discord', `M${letters(23)}`, `.Gx12_z.${letters(38)}`],
  ['Firebase', 'AAAAabc1234', `:APA91b${letters(134)}`],
  ['Terraform', letters(14), `.atlasv1.${letters(67)}`],
  ['a password in YAML', 'password: ', 'hunter2'],
  ['a password in a variable', 'DB_PASSWORD=', 's3cr3t!pw'],
  ['a password in JSON', '{"password": "', 'Tr0ub4dor'],
  ['a password in escaped JSON', '{\\"password\\":\\"', 'Tr0ub4dor'],
  ['a password in INI', 'db.passwd = ', 'Xy9-pl_q'],
  ['a password that begins like the name of a field', 'password=', 'Ab.Cd1.x9-Zq7'],
  ['a passphrase', "Passphrase: '", 'c0rrect-horse'],
];

describe('tokens', () => {
  it.each(Object.entries(TOKENS))('of %s are masked, whole and in pieces', (_vendor, token) => {
    const text = `a "${token}" b\n`;
    expect(redact(text)).toBe(`a "${MASK}" b\n`);
    for (const size of [1, 3, 7, 20]) expect(redactInPieces(text, size)).toBe(`a "${MASK}" b\n`);
  });

  it.each(NAMED)('are masked after their name, which stays: %s', (_case, before, secret) => {
    for (const end of ['\n', '" }\n', '']) {
      const isQuoted = /["']$/.test(before);
      if (isQuoted ? !end.startsWith('"') || before.endsWith("'") : end.startsWith('"')) continue;
      const tail = before.endsWith('\\"') ? '\\"}' : end;
      expect(redact(`${before}${secret}${tail}`)).toBe(`${before}${MASK}${tail}`);
      for (const size of [1, 3, 7, 20])
        expect(redactInPieces(`${before}${secret}${tail}`, size)).toBe(`${before}${MASK}${tail}`);
    }
  });

  it.each([
    'password: string;',
    'password: string | undefined',
    'password = getPassword();',
    'password = sha256(input)',
    'const password = process.env.PASSWORD2;',
    'password=req.body.pw2\n',
    'password: $PASSWORD_1',
    'password: {{ vault_pw1 }}',
    'password: <your-password-1>',
    '"password": "string"',
    '"password": ""',
    'password: true',
    'password == null',
    'if (password === other) {',
    'Enter your password: ',
    'The password: see the manual.',
    'password_hash: abc123def',
    'passwordField1 = x',
    'import hf_hub_download from x',
    'SG.a.b',
    'a.module.exports.thing',
    'key-value pairs, key-board, SKU-1234, SKIP, dapi',
    'secret_access_key_of_the_account_that_is_used_here',
    'v1.0-beta',
    'pypi-server AGE-SECRET-KEY',
    'https://example.com/?sig=short',
    '12:AA:BB:CC:DD:EE',
  ])('are not found in %s', (text) => {
    expect(redact(text)).toBe(text);
    for (const size of [1, 4]) expect(redactInPieces(text, size)).toBe(text);
  });
});

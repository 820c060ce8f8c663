/** Tokens of vendors, each with a unique head. One line per kind. */
import { either, literal, oneOf, repeat, type Shape, sequence } from './pattern-shape.js';

const LETTERS = oneOf('[A-Za-z0-9]');
const DASHED = oneOf('[A-Za-z0-9_-]');
const DOTTED = oneOf('[A-Za-z0-9_.=-]');
const HEX = oneOf('[0-9a-fA-F]');
const SMALL_HEX = oneOf('[0-9a-f]');
const CAPITALS = oneOf('[A-Z0-9]');

interface Vendor {
  /** Its possible heads, at most 11 characters; undefined: without a sign (see secret-heads.ts). */
  names?: readonly string[];
  shape: Shape;
  /** The head, for streams in which it may be incomplete. */
  arriving: Shape;
}

function kind(names: readonly string[], rest: Shape): Vendor {
  const heads = names.length === 1 ? literal(names[0] ?? '') : either(...names.map(literal));
  return { names, arriving: heads, shape: sequence(heads, rest) };
}

const ATLASSIAN = sequence(literal('AT'), oneOf('[AC]'), literal('TT3'));

/** Matched only without a letter, digit or underscore before them. */
export const VENDOR_TOKENS: readonly Vendor[] = [
  // SendGrid, Hugging Face, DigitalOcean
  kind(['SG.'], sequence(repeat(DASHED, 16, 32), literal('.'), repeat(DASHED, 16, 64))),
  kind(['hf_'], repeat(LETTERS, 30, 64)),
  kind(['dop_v1_', 'doo_v1_', 'dor_v1_'], repeat(HEX, 64, 64)),
  // Linear, Notion, Shopify, Square
  kind(['lin_api_'], repeat(LETTERS, 32, 64)),
  kind(['ntn_'], repeat(LETTERS, 40, 64)),
  kind(['secret_'], repeat(LETTERS, 43, 43)),
  kind(['shpat_', 'shpca_', 'shppa_', 'shpss_'], repeat(HEX, 32, 64)),
  kind(['sq0atp-', 'sq0csp-', 'sq0idp-'], repeat(DASHED, 22, 64)),
  // Mailgun, Atlassian, Mapbox, New Relic
  kind(['key-'], repeat(HEX, 32, 32)),
  { arriving: ATLASSIAN, shape: sequence(ATLASSIAN, repeat(DOTTED, 50, 512)) },
  kind(['sk.eyJ'], sequence(repeat(DASHED, 5, 512), literal('.'), repeat(DASHED, 16, 64))),
  kind(['NRAK-'], repeat(CAPITALS, 27, 27)),
  // Twilio, Databricks
  { arriving: literal('SK'), shape: sequence(literal('SK'), repeat(SMALL_HEX, 32, 32)) },
  { arriving: literal('dapi'), shape: sequence(literal('dapi'), repeat(SMALL_HEX, 32, 32)) },
  // Vault, PlanetScale, Supabase, Fly, Doppler
  kind(['hvs.', 'hvb.', 'hvr.'], repeat(DASHED, 24, 256)),
  kind(['pscale_'], repeat(DOTTED, 32, 128)),
  kind(['sbp_'], repeat(HEX, 40, 64)),
  kind(['sb_secret_'], repeat(DASHED, 20, 64)),
  kind(['fo1_', 'fm2_'], repeat(oneOf('[A-Za-z0-9_+/=-]'), 40, 2048)),
  kind(['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], repeat(DOTTED, 40, 128)),
  // age, Slack apps, PyPI, Heroku, Cloudflare
  kind(['AGE-SECRET-'], sequence(literal('KEY-1'), repeat(CAPITALS, 58, 58))),
  kind(['xapp-'], repeat(DASHED, 20, 256)),
  kind(['pypi-A'], repeat(DASHED, 50, 512)),
  kind(['HRKU-'], repeat(DASHED, 36, 128)),
  kind(['v1.0-'], sequence(repeat(HEX, 24, 24), literal('-'), repeat(HEX, 100, 200))),
  // GitLab, besides personal tokens
  kind(['glptt-', 'gldt-', 'glrt-', 'glcbt-', 'glsoat-', 'glft-'], repeat(DASHED, 20, 256)),
];

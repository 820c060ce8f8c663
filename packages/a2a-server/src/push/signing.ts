/**
 * Signs push notifications: a JSON Web Token that is bound to the receiver and to the body. The receiver checks it with
 * the key at `/.well-known/jwks.json`.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';

const VALID_SECONDS = 300;

export interface TokenClaims {
  /** The server. */
  issuer: string;
  /** The receiver. */
  audience: string;
  taskId: string;
  body: Buffer;
  /** Milliseconds. */
  now: number;
}

export class PushSigner {
  private readonly key: KeyObject;
  private readonly keyId: string;

  constructor(pem: string) {
    this.key = createPrivateKey(pem);
    this.keyId = createHash('sha256').update(this.publicPem()).digest('base64url').slice(0, 16);
  }

  static makeKey(): string {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  /** The public keys, as receivers fetch them. */
  keySet(): { keys: JsonWebKey[] } {
    const jwk = createPublicKey(this.key).export({ format: 'jwk' });
    return { keys: [{ ...jwk, kid: this.keyId, alg: 'ES256', use: 'sig' }] };
  }

  token({ issuer, audience, taskId, body, now }: TokenClaims): string {
    const seconds = Math.floor(now / 1000);
    const claims = {
      iss: issuer,
      aud: audience,
      sub: taskId,
      iat: seconds,
      exp: seconds + VALID_SECONDS,
      jti: randomUUID(),
      request_body_sha256: createHash('sha256').update(body).digest('hex'),
    };
    const text = `${encoded({ alg: 'ES256', typ: 'JWT', kid: this.keyId })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  private publicPem(): string {
    return createPublicKey(this.key).export({ type: 'spki', format: 'pem' }).toString();
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

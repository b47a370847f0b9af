import {
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { isIP } from 'node:net';
import {
  bits,
  explicit,
  integer,
  octets,
  oid,
  sequence,
  set,
  tagged,
  utcTime,
  utf8,
  derTrue,
  type Der,
} from './der.ts';

/** A certificate and its private key (PKCS #8), both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  /** The name of the user in Kubernetes. */
  readonly commonName: string;
  /** The groups of the user in Kubernetes. */
  readonly organizations?: readonly string[];
  /**
   * Names and addresses of a serving certificate.
   * @default - a client certificate
   */
  readonly hosts?: readonly string[];
}

const day = 24 * 60 * 60 * 1000;
const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

/**
 * A certificate authority for tests. It signs serving and client certificates for the lifetime of a
 * cluster. Keys are ECDSA on P-256. Certificates (RFC 5280) are valid from an hour ago, for a year.
 */
export class Authority {
  readonly #name: Der;
  readonly #key: KeyObject;
  /** The certificate with its key, so that another process can continue to sign. */
  readonly pair: KeyPair;

  constructor(pair: KeyPair = createAuthorityKeyPair()) {
    this.pair = pair;
    this.#name = encodeName({ commonName: authorityName });
    this.#key = createPrivateKey(pair.key);
  }

  issue(subject: Subject): KeyPair {
    const extensions = [
      extension('2.5.29.15', bits(Buffer.from([0x80]), 7), derTrue), // digitalSignature
      extension('2.5.29.37', sequence(oid(`1.3.6.1.5.5.7.3.${subject.hosts ? 1 : 2}`))),
    ];
    if (subject.hosts) extensions.push(extension('2.5.29.17', alternativeNames(subject.hosts)));
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const name = encodeName(subject);
    return {
      certificate: signCertificate(name, publicKey, extensions, this.#name, this.#key),
      key: exportPem(privateKey),
    };
  }
}

const authorityName = 'tenantry test authority';

function createAuthorityKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = encodeName({ commonName: authorityName });
  const extensions = [
    extension('2.5.29.19', sequence(derTrue), derTrue),
    extension('2.5.29.15', bits(Buffer.from([0x86]), 1), derTrue), // signs certificates and other data
  ];
  return {
    certificate: signCertificate(name, publicKey, extensions, name, privateKey),
    key: exportPem(privateKey),
  };
}

/** Generates a key pair for service account tokens, both PEM. */
export function generateSigningKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: exportPem(privateKey),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

function signCertificate(
  subject: Der,
  publicKey: KeyObject,
  extensions: readonly Der[],
  issuer: Der,
  issuerKey: KeyObject,
): string {
  const now = Date.now();
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    sequence(utcTime(new Date(now - day / 24)), utcTime(new Date(now + 365 * day))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  const signed = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, issuerKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function encodeName({ commonName, organizations = [] }: Subject): Der {
  const part = (type: string, value: string) => set(sequence(oid(type), utf8(value)));
  const groups = organizations.map((name) => part('2.5.4.10', name));
  return sequence(...groups, part('2.5.4.3', commonName));
}

function extension(type: string, value: Der, ...critical: readonly Der[]): Der {
  return sequence(oid(type), ...critical, octets(value));
}

function alternativeNames(hosts: readonly string[]): Der {
  return sequence(
    ...hosts.map((host) =>
      isIP(host) === 4
        ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
        : tagged(0x82, Buffer.from(host)),
    ),
  );
}

const exportPem = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { isIP } from 'node:net';
import type * as structures from '@peculiar/asn1-x509';
import type { Extension, Name } from '@peculiar/asn1-x509';
import type * as encoding from '@peculiar/asn1-schema';
import {
  coversHosts,
  parseValidity,
  validateKeyPair,
  type IssuedKeyPair,
  type KeyPair,
} from './key-pair.ts';
import { asn1Schema, asn1X509 } from '../optional-packages/optional.cjs';

interface IssueKeyPairProps {
  readonly hosts: readonly string[];
  readonly validFor: number;
  readonly now: Date;
}

/** The clocks of API servers may be behind by as much. */
const backdating = 60 * 60 * 1000;

/** Issues a certificate by a new authority whose key is discarded: it signs nothing else and cannot be stolen. */
export function issueKeyPair(
  x509: X509,
  { hosts, validFor, now }: IssueKeyPairProps,
): IssuedKeyPair {
  const validity = {
    from: new Date(now.getTime() - backdating),
    to: new Date(now.getTime() + validFor),
  };
  const name = hosts[0] ?? 'webhooks';
  const number = now.toISOString();
  const authority = issueCertificate(
    x509,
    { commonName: `${name} ${number}`.slice(-64) },
    'authority',
    validity,
  );
  const pair = issueCertificate(
    x509,
    { commonName: name.slice(0, 64) },
    { hosts },
    validity,
    authority,
  );
  return { ...pair, authority: authority.certificate };
}

/** Whether a client that trusts the authority accepts the certificate for all of the hosts. */
export function isUsable(generation: IssuedKeyPair, hosts: readonly string[], now: Date): boolean {
  if (validateKeyPair(generation) !== undefined) return false;
  const { from, to } = parseValidity(generation.certificate);
  const time = now.getTime();
  return from <= time && time < to && coversHosts(generation.certificate, hosts);
}

export function isDueForRotation({ certificate }: KeyPair, now: Date): boolean {
  const { from, to } = parseValidity(certificate);
  return now.getTime() >= from + ((to - from) * 2) / 3;
}

/** Returns the fingerprint that identifies a certificate in logs. */
export function computeFingerprint(certificate: string): string {
  return createHash('sha256').update(certificate).digest('hex').slice(0, 16);
}

export interface Subject {
  /** In a client certificate, Kubernetes reads it as the name of the user. */
  readonly commonName: string;
  /** In a client certificate, Kubernetes reads them as the groups of the user. @default - none */
  readonly organizations?: readonly string[] | undefined;
}

interface Validity {
  readonly from: Date;
  readonly to: Date;
}

/** The purpose of a certificate: signing others, serving names and addresses, or authenticating a client. */
export type Purpose = 'authority' | 'client' | { readonly hosts: readonly string[] };

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

/**
 * Creates an ECDSA key on P-256 and a certificate for it (RFC 5280). The authority signs it; without one it is
 * self-signed. Times are truncated to seconds.
 * @param issuer an authority that this function created, with its key
 */
export function issueCertificate(
  x509: X509,
  subject: Subject,
  purpose: Purpose,
  validity: Validity,
  issuer?: KeyPair,
): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = buildDistinguishedName(x509, subject);
  const signer = issuer ? createPrivateKey(issuer.key) : privateKey;
  const signature = new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber(),
    signature,
    issuer: issuer ? parseSubject(x509, issuer.certificate) : name,
    validity: new x509.Validity({
      notBefore: toSecond(validity.from),
      notAfter: toSecond(validity.to),
    }),
    subject: name,
    subjectPublicKeyInfo: x509.AsnConvert.parse(spkiOf(publicKey), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions(
      buildExtensions(x509, purpose, publicKey, createPublicKey(signer)),
    ),
  });
  const content = Buffer.from(x509.AsnConvert.serialize(tbsCertificate));
  const signed = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: signature,
    signatureValue: toArrayBuffer(sign('sha256', content, signer)),
  });
  return {
    certificate: new X509Certificate(Buffer.from(x509.AsnConvert.serialize(signed))).toString(),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** 16 bytes. The first one keeps the number positive and at full length (RFC 5280, 4.1.2.2). */
function serialNumber(): ArrayBuffer {
  return toArrayBuffer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
}

function buildDistinguishedName(x509: X509, { commonName, organizations = [] }: Subject): Name {
  const part = (type: string, text: string) =>
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({
        type,
        value: new x509.AttributeValue({ utf8String: text }),
      }),
    ]);
  const groups = organizations.map((name) => part('2.5.4.10', name));
  return new x509.Name([...groups, part('2.5.4.3', commonName)]);
}

function parseSubject(x509: X509, certificate: string): Name {
  const { raw } = new X509Certificate(certificate);
  return x509.AsnConvert.parse(raw, x509.Certificate).tbsCertificate.subject;
}

function buildExtensions(
  x509: X509,
  purpose: Purpose,
  own: KeyObject,
  signer: KeyObject,
): Extension[] {
  const extension = (extnID: string, value: unknown, { critical } = { critical: false }) =>
    new x509.Extension({
      extnID,
      critical,
      extnValue: new x509.OctetString(x509.AsnConvert.serialize(value)),
    });
  const { KeyUsageFlags: flags } = x509;
  const usage = (flag: number) =>
    extension(x509.id_ce_keyUsage, new x509.KeyUsage(flag), { critical: true });
  const authority = new x509.AuthorityKeyIdentifier({
    keyIdentifier: new x509.KeyIdentifier(computeKeyIdentifier(signer)),
  });
  const ids = [
    extension(
      x509.id_ce_subjectKeyIdentifier,
      new x509.SubjectKeyIdentifier(computeKeyIdentifier(own)),
    ),
    extension(x509.id_ce_authorityKeyIdentifier, authority),
  ];
  if (purpose === 'authority') {
    // It may not sign other authorities.
    const constraints = new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 });
    return [
      extension(x509.id_ce_basicConstraints, constraints, { critical: true }),
      usage(flags.keyCertSign | flags.cRLSign),
      ...ids,
    ];
  }
  const role = purpose === 'client' ? x509.id_kp_clientAuth : x509.id_kp_serverAuth;
  const common = [
    usage(flags.digitalSignature),
    extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([role])),
    ...ids,
  ];
  if (purpose === 'client') return common;
  const names = new x509.SubjectAlternativeName(
    purpose.hosts.map(
      (host) => new x509.GeneralName(isIP(host) ? { iPAddress: host } : { dNSName: host }),
    ),
  );
  return [...common, extension(x509.id_ce_subjectAltName, names)];
}

/** Distinguishes certificates of the same name (RFC 7093, 2: 160 bits of SHA-256). */
function computeKeyIdentifier(key: KeyObject): ArrayBuffer {
  return toArrayBuffer(createHash('sha256').update(spkiOf(key)).digest().subarray(0, 20));
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function toArrayBuffer(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}

function toSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000);
}

/** The ASN.1 packages that write certificates (RFC 5280). Only programs that issue certificates need them. */
export type X509 = Omit<typeof structures, 'default'> &
  Pick<typeof encoding, 'AsnConvert' | 'OctetString'>;

/** @throws {Error} if the packages are not installed; the message contains the command to install them */
export function loadX509(): X509 {
  const { AsnConvert, OctetString } = asn1Schema();
  return { ...asn1X509(), AsnConvert, OctetString };
}

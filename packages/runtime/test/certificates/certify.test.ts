import { expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { issueCertificate, loadX509, type Purpose } from '../../certificates/certify.ts';
import { coversHosts, parseValidity, validateKeyPair } from '../../certificates/key-pair.ts';

const x509 = loadX509();
const from = new Date('2026-01-01T00:00:00.500Z');
const to = new Date('2026-04-01T00:00:00Z');
const made = (
  purpose: Purpose,
  issuer?: ReturnType<typeof issueCertificate>,
  commonName = 'example',
) =>
  issueCertificate(
    x509,
    { commonName, organizations: ['a,b', 'ü'] },
    purpose,
    { from, to },
    issuer,
  );
const authority = made('authority', undefined, 'the authority');
const read = (certificate: string) => new X509Certificate(certificate);

test('an authority signs itself and other certificates, but no authorities', () => {
  const { ca, issuer, subject, publicKey } = read(authority.certificate);
  expect([ca, issuer]).toEqual([true, subject]);
  expect(read(authority.certificate).verify(publicKey)).toBe(true);
});

test('a certificate names the authority that signed it, and is not an authority itself', () => {
  const server = made({ hosts: ['hooks.shop.svc', '127.0.0.1', '::1'] }, authority);
  const certificate = read(server.certificate);
  const issuer = read(authority.certificate);
  expect(certificate.ca).toBe(false);
  expect(certificate.checkIssued(issuer)).toBe(true);
  expect(certificate.verify(issuer.publicKey)).toBe(true);
  expect(certificate.subjectAltName).toBe(
    'DNS:hooks.shop.svc, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  );
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(read(made('client', authority).certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
});

test('a subject has all of its attributes in the given order, with special characters escaped', () => {
  const { subject } = read(made('client', authority).certificate);
  expect(subject).toBe('O=a\\,b\nO=ü\nCN=example');
});

test('a certificate is valid for exactly the given period, to the second', () => {
  expect(parseValidity(authority.certificate)).toEqual({
    from: Date.parse('2026-01-01T00:00:00Z'),
    to: to.getTime(),
  });
  const late = { from, to: new Date('2061-02-03T04:05:06Z') };
  const { certificate } = issueCertificate(x509, { commonName: 'late' }, 'authority', late);
  expect(parseValidity(certificate).to).toBe(late.to.getTime());
});

test('no two certificates have the same serial number, and none is negative', () => {
  const numbers = Array.from(
    { length: 20 },
    () => read(made('authority').certificate).serialNumber,
  );
  expect(new Set(numbers).size).toBe(20);
  expect(numbers.filter((number) => !/^01[0-9A-F]{30}$/.test(number))).toEqual([]);
});

test('an unusable pair is refused with the reason', () => {
  const [a, b] = [made({ hosts: ['a'] }, authority), made({ hosts: ['b'] }, authority)];
  expect(validateKeyPair(a)).toBeUndefined();
  expect(validateKeyPair({ ...a, key: b.key })).toBe(
    'the key must be the one of the certificate, got another',
  );
  expect(validateKeyPair({ ...a, certificate: '' })).toMatch(/^the certificate must be PEM, got/);
  expect(validateKeyPair({ ...a, key: 'x' })).toMatch(/^the key must be PEM, got/);
});

test('a certificate covers the names and addresses that it was issued for', () => {
  const { certificate } = made({ hosts: ['a.svc', '127.0.0.1'] }, authority);
  const rows = [[['a.svc', '127.0.0.1']], [['b.svc']], [['a.svc', '127.0.0.2']], [[]]] as const;
  expect(rows.map(([hosts]) => coversHosts(certificate, hosts))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

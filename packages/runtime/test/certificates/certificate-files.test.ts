import { afterAll, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateFiles } from '../../certificates/certificate-files.ts';
import { issueCertificate, loadX509 } from '../../certificates/certify.ts';
import type { KeyPair } from '../../certificates/key-pair.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { until } from '@tenantry/testing/waiting/until';
import { RecordingLog } from './recording-log.ts';

const x509 = loadX509();
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

function made(host: string, to = new Date('2026-06-01')): KeyPair {
  const from = new Date('2025-01-01');
  const authority = issueCertificate(x509, { commonName: 'authority' }, 'authority', { from, to });
  return issueCertificate(x509, { commonName: host }, { hosts: [host] }, { from, to }, authority);
}

/** Creates a folder as the kubelet mounts a Secret: `..data` is a link that is swapped. */
async function mounted() {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-certificates-'));
  folders.push(folder);
  let count = 0;
  for (const name of ['tls.crt', 'tls.key']) {
    await symlink(join('..data', name), join(folder, name));
  }
  const swap = async (certificate: string, key: string): Promise<void> => {
    const version = `..version${(count += 1)}`;
    await mkdir(join(folder, version));
    await writeFile(join(folder, version, 'tls.crt'), certificate);
    await writeFile(join(folder, version, 'tls.key'), key);
    await symlink(version, join(folder, '..new'));
    await rename(join(folder, '..new'), join(folder, '..data'));
  };
  const log = new RecordingLog();
  const clock = new VirtualClock();
  const paths = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const files = new CertificateFiles({ ...paths, log, clock });
  const stop = new AbortController();
  const ended = files.run(stop.signal);
  /** Waits until the files have been read again, and the next read is scheduled. */
  const look = async (): Promise<void> => {
    await until('it waits', () => clock.waiting === 1);
    await clock.advance(10_000);
    await until('the files are read', () => clock.waiting === 1);
  };
  await until('the files are read', () => clock.waiting === 1);
  return { files, log, clock, swap, look, stop, ended };
}

test('a certificate is loaded when the kubelet swaps the files, without a restart', async () => {
  const { files, swap, look, stop, ended } = await mounted();
  const [a, b] = [made('a'), made('b')];
  const pairs: (KeyPair | undefined)[] = [];
  files.onChange((pair) => pairs.push(pair));
  await swap(a.certificate, a.key);
  await look();
  expect(files.current).toEqual(a);
  await look();
  await swap(b.certificate, b.key);
  await look();
  expect(pairs).toEqual([a, b]);
  stop.abort();
  await ended;
});

test('missing files are waited for, and this is logged once', async () => {
  const { files, log, look, stop, ended, clock } = await mounted();
  await look();
  await look();
  expect(files.current).toBeUndefined();
  expect(log.sentences('error')).toEqual(['waiting for the files of a serving certificate']);
  stop.abort();
  await ended;
  expect(clock.waiting).toBe(0);
});

test('a key that does not match the certificate is not loaded, and the previous pair stays', async () => {
  const { files, log, swap, look, stop } = await mounted();
  const [a, b] = [made('a'), made('b')];
  await swap(a.certificate, a.key);
  await look();
  await swap(b.certificate, a.key);
  await look();
  await look();
  expect(files.current).toEqual(a);
  const sentence = 'the certificate of the files is unusable; still serving with the previous one';
  expect(log.sentences('error').slice(1)).toEqual([sentence]);
  expect(log.lines.at(-1)?.fields).toMatchObject({
    why: 'the key must be the one of the certificate, got another',
  });
  await swap(b.certificate, b.key);
  await look();
  expect(files.current).toEqual(b);
  stop.abort();
});

test('a half-written chain is not loaded, and the previous pair stays', async () => {
  const { files, log, swap, look, stop } = await mounted();
  const [a, b] = [made('a'), made('b')];
  await swap(a.certificate, a.key);
  await look();
  await swap(`${b.certificate}${a.certificate.slice(0, 100)}`, b.key);
  await look();
  expect(files.current).toEqual(a);
  const why: unknown = log.lines.at(-1)?.fields?.['why'];
  expect(why).toMatch(/^each certificate of the chain must be PEM, got an error: /);
  await swap(`${b.certificate}${a.certificate}`, b.key);
  await look();
  expect(files.current?.key).toEqual(b.key);
  stop.abort();
});

test('an expired certificate is logged', async () => {
  const { log, swap, look, stop } = await mounted();
  const old = made('a', new Date('2025-12-31'));
  await swap(old.certificate, old.key);
  await look();
  expect(log.sentences('error')).toContain('the certificate of the files has expired');
  stop.abort();
});

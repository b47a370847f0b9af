import type { Live } from '../kinds/kind.ts';
import type { Secret } from '../kinds/core.ts';
import type { RotationState } from './rotation.ts';

/** The name of a Secret. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The keys of the Secret. The first three are those of cert-manager, so that other programs can read it. */
const keys = {
  certificate: 'tls.crt',
  key: 'tls.key',
  authority: 'ca.crt',
  nextCertificate: 'next-tls.crt',
  nextKey: 'next-tls.key',
  nextAuthority: 'next-ca.crt',
  previousAuthority: 'previous-ca.crt',
} as const;

/** Parses the content of a Secret; undefined if it contains no certificates yet. */
export function parseRotationState(secret: Live<typeof Secret>): RotationState | undefined {
  const text = (name: keyof typeof keys): string | undefined => {
    const value = secret.data?.[keys[name]];
    return value ? Buffer.from(value, 'base64').toString('utf8') : undefined;
  };
  const generation = (
    certificate: string | undefined,
    key: string | undefined,
    authority: string | undefined,
  ) => (certificate && key && authority ? { certificate, key, authority } : undefined);
  const current = generation(text('certificate'), text('key'), text('authority'));
  if (!current) return undefined;
  const next = generation(text('nextCertificate'), text('nextKey'), text('nextAuthority'));
  return { current, next, previous: text('previousAuthority') };
}

/** Builds the data of the Secret; foreign keys stay. */
export function buildSecretData(
  { current, next, previous }: RotationState,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const ours: ReadonlySet<string> = new Set(Object.values(keys));
  const others = Object.entries(before).filter(([name]) => !ours.has(name));
  const texts: Readonly<Record<keyof typeof keys, string | undefined>> = {
    certificate: current.certificate,
    key: current.key,
    authority: current.authority,
    nextCertificate: next?.certificate,
    nextKey: next?.key,
    nextAuthority: next?.authority,
    previousAuthority: previous,
  };
  const own = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined
      ? []
      : [[keys[name as keyof typeof keys], Buffer.from(text).toString('base64')] as const],
  );
  return Object.fromEntries([...others, ...own]);
}

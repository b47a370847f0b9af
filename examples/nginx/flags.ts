import { parseArgs } from 'node:util';
import { LATEST, versions, type ReleaseVersion } from './releases.ts';

/** What the program is told, by its command line. */
export interface Flags {
  readonly release: ReleaseVersion;
  /** Whether it answers probes, Prometheus and, where there are two versions, API servers. */
  readonly serves: boolean;
  readonly election: 'lease' | 'for-life' | 'none';
  readonly certificates: 'operator' | 'cert-manager';
  /** Where cert-manager, or OLM, lays `tls.crt` and `tls.key`. */
  readonly certificateFolder: string;
  /** 0 is any that is free. */
  readonly ports: { readonly health: number; readonly metrics: number; readonly webhooks: number };
}

const options = {
  release: { type: 'string', default: LATEST },
  serve: { type: 'boolean', default: false },
  'leader-election': { type: 'string', default: 'none' },
  certificates: { type: 'string', default: 'operator' },
  'certificate-folder': { type: 'string', default: '/tmp/k8s-webhook-server/serving-certs' },
  'health-port': { type: 'string', default: '8081' },
  'metrics-port': { type: 'string', default: '8080' },
  'webhook-port': { type: 'string', default: '9443' },
} as const;

/** @throws {Error} with all flags that are none, or say what they cannot */
export function flagsOf(args: readonly string[]): Flags {
  const { values } = parseArgs({ args: [...args], options, strict: true });
  const problems: string[] = [];
  const among = <T extends string>(flag: keyof typeof options, known: readonly T[]): T => {
    const found = known.find((one) => one === values[flag]);
    if (found !== undefined) return found;
    problems.push(`--${flag} must be one of ${known.join(', ')}, got ${String(values[flag])}`);
    return known[0]!;
  };
  const port = (flag: keyof typeof options): number => {
    const text = String(values[flag]);
    if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    problems.push(`--${flag} must be a port from 0 to 65535, got ${text}`);
    return 0;
  };
  const flags: Flags = {
    release: among('release', versions),
    serves: values.serve,
    election: among('leader-election', ['none', 'lease', 'for-life']),
    certificates: among('certificates', ['operator', 'cert-manager']),
    certificateFolder: values['certificate-folder'],
    ports: {
      health: port('health-port'),
      metrics: port('metrics-port'),
      webhooks: port('webhook-port'),
    },
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return flags;
}

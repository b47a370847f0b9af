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
  /** Milliseconds before objects are rewritten for another storage version. @default - that of the runtime */
  readonly migrationSettle: number | undefined;
  readonly ports: { readonly health: number; readonly metrics: number; readonly webhooks: number };
}

const options = {
  release: { type: 'string', default: LATEST },
  serve: { type: 'boolean', default: false },
  'leader-election': { type: 'string', default: 'none' },
  certificates: { type: 'string', default: 'operator' },
  'certificate-folder': { type: 'string', default: '/tmp/k8s-webhook-server/serving-certs' },
  'migration-settle': { type: 'string' },
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
  const number = (flag: keyof typeof options, must: string, most: number): number => {
    const text = String(values[flag]);
    if (/^[0-9]{1,9}$/.test(text) && Number(text) <= most) return Number(text);
    problems.push(`--${flag} must be ${must}, got ${text}`);
    return 0;
  };
  const port = (flag: keyof typeof options): number =>
    number(flag, 'a port from 0 to 65535', 65_535);
  const flags: Flags = {
    release: among('release', versions),
    serves: values.serve,
    election: among('leader-election', ['none', 'lease', 'for-life']),
    certificates: among('certificates', ['operator', 'cert-manager']),
    certificateFolder: values['certificate-folder'],
    migrationSettle:
      values['migration-settle'] === undefined
        ? undefined
        : number('migration-settle', 'milliseconds', 999_999_999),
    ports: {
      health: port('health-port'),
      metrics: port('metrics-port'),
      webhooks: port('webhook-port'),
    },
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return flags;
}

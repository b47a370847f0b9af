import { parseArgs } from 'node:util';
import { LATEST, versions, type ReleaseVersion } from './releases.ts';

/** The command line flags of the program. */
export interface Flags {
  readonly release: ReleaseVersion;
  /** Whether it serves probes, metrics and, where there are two versions, the conversion webhook. */
  readonly serves: boolean;
  readonly election: 'lease' | 'for-life' | 'none';
  readonly certificates: 'operator' | 'cert-manager';
  /** The folder where cert-manager or OLM puts `tls.crt` and `tls.key`. */
  readonly certificateFolder: string;
  /**
   * Milliseconds before objects are rewritten for another storage version. @default - the runtime's
   * default
   */
  readonly migrationSettle: number | undefined;
  /** Port numbers; 0 selects a free port. */
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

/** @throws {Error} with all unknown flags and invalid values */
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

import type { apps, Written } from '../../runtime.ts';
import { LISTEN_CONF, type Operand } from './operand.ts';
import type { Port } from './ports.ts';

/** Of the operator, and of all that it makes. */
export const NAME = 'nginx-operator';

/** Selects the Deployments of all NginxOperators: the operator reads no others. */
export const MANAGED = `app.kubernetes.io/managed-by=${NAME}`;

/** On pods: what `forceRedploy` said when they were made. */
export const FORCED = 'operator.example.com/force-redploy';

const INSTANCE = 'app.kubernetes.io/instance';

/** What an NginxOperator says, in whichever version. */
export interface Wanted {
  /** One at least. */
  readonly ports: readonly Port[];
  readonly replicas?: number | undefined;
  readonly forceRedploy?: string | undefined;
}

/** The labels of the pods of one, as a selector. */
export function selectorOf({ spec }: Operand, name: string): string {
  const labels = { ...spec.selector.matchLabels, [INSTANCE]: name };
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/**
 * The manifest, with what an NginxOperator of this name says laid over it. What it does not say is as in the
 * manifest: no replicas is not 0 replicas. The same for the same, so that nothing is rolled out that did not change.
 */
export function deploymentOf(
  { spec }: Operand,
  name: string,
  { ports, replicas, forceRedploy }: Wanted,
): Written<typeof apps.Deployment> {
  const { template, selector } = spec;
  const instance = { [INSTANCE]: name };
  const [nginx] = template.spec.containers;
  const [first] = ports;
  const probed = first && { tcpSocket: { port: first.containerPort } };
  return {
    metadata: { name, labels: { ...template.metadata.labels, ...instance } },
    spec: {
      ...spec,
      replicas: replicas ?? spec.replicas,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...instance } },
      template: {
        ...template,
        metadata: {
          ...template.metadata,
          labels: { ...template.metadata.labels, ...instance },
          annotations: {
            ...template.metadata.annotations,
            [LISTEN_CONF]: ports.map(({ containerPort }) => `listen ${containerPort};\n`).join(''),
            ...(forceRedploy !== undefined && { [FORCED]: forceRedploy }),
          },
        },
        spec: {
          ...template.spec,
          containers: [
            { ...nginx, ports: [...ports], readinessProbe: { ...nginx.readinessProbe, ...probed } },
          ],
        },
      },
    },
  };
}

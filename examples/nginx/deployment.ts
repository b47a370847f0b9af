import type { apps, Written } from '@tenantry/runtime';
import { LISTEN_CONF, type Operand } from './operand.ts';
import type { Port } from './definition.ts';

/** The name of the operator, and of its objects. */
export const NAME = 'nginx-operator';

/** Selects the Deployments of all NginxOperators: the operator watches no others. */
export const MANAGED = `app.kubernetes.io/managed-by=${NAME}`;

/** The annotation of pods with the value of `forceRedploy` when they were created. */
export const FORCED = 'operator.example.com/force-redploy';

const INSTANCE = 'app.kubernetes.io/instance';

/** The declared fields of an NginxOperator, the same for all versions. */
export interface Wanted {
  /** At least one. */
  readonly ports: readonly Port[];
  readonly replicas?: number | undefined;
  readonly forceRedploy?: string | undefined;
}

/** Returns the pod labels of an NginxOperator as a selector. */
export function selectorOf({ spec }: Operand, name: string): string {
  const labels = { ...spec.selector.matchLabels, [INSTANCE]: name };
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/**
 * Merges the fields of an NginxOperator over the manifest. Fields that it does not set stay as in the
 * manifest: absent replicas are not 0 replicas. The same input gives the same Deployment, so that an
 * unchanged object causes no rollout.
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

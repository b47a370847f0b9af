import type { Construct } from 'constructs';
import type { OperatorDeployment } from '../parts/deployment.ts';
import type { OperatorService } from '../parts/surroundings.ts';
import type { PlusService, PlusModule } from './used.ts';

/** A Service of cdk8s-plus, which knows ports of pods by their numbers. */
export function createPlusService(
  plus: PlusModule,
  scope: Construct,
  id: string,
  { metadata, spec }: OperatorService,
  deployment: OperatorDeployment,
): PlusService {
  const { selector, ports, clusterIP } = spec;
  const [{ ports: known = [] }] = deployment.spec.template.spec.containers;
  const numberOf = new Map(known.map(({ name, containerPort }) => [name, containerPort]));
  const made = new plus.Service(scope, id, {
    metadata,
    ...(clusterIP && { clusterIP }),
    ports: ports.map(({ name, port, targetPort }) => ({
      name,
      port,
      targetPort: numberOf.get(targetPort) ?? port,
    })),
  });
  for (const [key, value] of Object.entries(selector)) made.selectLabel(key, value);
  return made;
}

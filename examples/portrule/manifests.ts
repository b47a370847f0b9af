import { Chart } from 'cdk8s';
import { App, emitYaml, type KubeObject } from '../../index.ts';
import { Operator } from '@tenantry/operator-kit/constructs';
import { ruleSets, statuses } from './controllers.ts';
import { portRule } from './definition.ts';
import { NAMESPACE as name } from './host.ts';

/**
 * Returns the objects that the operator needs in a cluster; its rights follow from the access rules of
 * its controllers, and the loop needs the same. Without an image no pod runs it, so that you can run it
 * on your machine.
 */
export function manifestsOf(image?: string): readonly KubeObject[] {
  const chart = new Chart(new App(), name);
  new Operator(chart, 'operator', {
    name,
    image: image ?? `registry.example.com/${name}:0.1.0`,
    replicas: image === undefined ? 0 : 1,
    owned: [portRule],
    access: [...ruleSets.access, ...statuses.access],
    // The program elects no leader and serves no probes.
    leaderElection: 'None',
    probes: false,
    metrics: false,
  });
  return chart.toJson();
}

if (import.meta.main) process.stdout.write(emitYaml(manifestsOf(process.argv[2])));

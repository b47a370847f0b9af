import { Chart } from 'cdk8s';
import { App, emitYaml, Operator, type KubeObject } from '../../index.ts';
import { ruleSets, statuses } from './controllers.ts';
import { portRule } from './definition.ts';
import { NAMESPACE as name } from './host.ts';

/** What the operator needs in a cluster, its rights by what its controllers declare; the loop needs the same. Without an image no pod of it runs, and it can run on your machine. */
export function manifestsOf(image?: string): readonly KubeObject[] {
  const chart = new Chart(new App(), name);
  new Operator(chart, 'operator', {
    name,
    image: image ?? `registry.example.com/${name}:0.1.0`,
    replicas: image === undefined ? 0 : 1,
    owned: [portRule],
    access: [...ruleSets.access, ...statuses.access],
    // The program asks nobody whether it leads, and nobody asks it how it is.
    leaderElection: 'None',
    probes: false,
    metrics: false,
  });
  return chart.toJson();
}

if (import.meta.main) process.stdout.write(emitYaml(manifestsOf(process.argv[2])));

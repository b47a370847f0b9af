import { Chart } from 'cdk8s';
import { App, emitYaml, Operator, type KubeObject } from '../../index.ts';
import { namespacePlusController } from './controller.ts';
import { namespacePlus } from './definition.ts';

const name = 'namespaceplus';

/** What the operator needs in a cluster, its rights by what its controller declares. Without an image no pod of it runs, and it can run on your machine. */
export function manifestsOf(image?: string): readonly KubeObject[] {
  const chart = new Chart(new App(), name);
  new Operator(chart, 'operator', {
    name,
    image: image ?? `registry.example.com/${name}:0.1.0`,
    replicas: image === undefined ? 0 : 1,
    owned: [namespacePlus],
    access: namespacePlusController.access,
    // The program asks nobody whether it leads, and nobody asks it how it is.
    leaderElection: 'None',
    probes: false,
    metrics: false,
  });
  return chart.toJson();
}

if (import.meta.main) process.stdout.write(emitYaml(manifestsOf(process.argv[2])));

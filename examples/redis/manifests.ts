import { Chart } from 'cdk8s';
import { App, emitYaml, Operator, type KubeObject } from '../../index.ts';
import { redisController } from './controller.ts';
import { redis } from './definition.ts';
import { NAME } from './pods.ts';

/**
 * What the operator needs in a cluster, its rights by what its controller declares. Without an image no pod of it
 * runs, and it can run on your machine.
 */
export function manifestsOf(image?: string): readonly KubeObject[] {
  const chart = new Chart(new App(), NAME);
  new Operator(chart, 'operator', {
    name: NAME,
    image: image ?? `registry.example.com/${NAME}:0.1.0`,
    replicas: image === undefined ? 0 : 2,
    args: ['in-cluster'],
    owned: [redis],
    access: redisController.access,
  });
  return chart.toJson();
}

if (import.meta.main) process.stdout.write(emitYaml(manifestsOf(process.argv[2])));

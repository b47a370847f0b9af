import { Chart } from 'cdk8s';
import { App, emitYaml, type KubeObject } from '../../index.ts';
import { Operator } from '@tenantry/operator-kit/constructs';
import { redisOperator } from './operator.ts';
import { NAME } from './pods.ts';

/**
 * Returns the objects that the operator needs in a cluster. Without an image no pod runs it, so that
 * you can run it on your machine.
 */
export function manifestsOf(image?: string): readonly KubeObject[] {
  const chart = new Chart(new App(), NAME);
  new Operator(chart, 'operator', {
    ...redisOperator,
    image: image ?? redisOperator.image,
    replicas: image === undefined ? 0 : 2,
  });
  return chart.toJson();
}

if (import.meta.main) process.stdout.write(emitYaml(manifestsOf(process.argv[2])));

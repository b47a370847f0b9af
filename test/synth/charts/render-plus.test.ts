/* oxlint-disable no-new -- a construct adds itself to its scope */
import { describe, test } from '@jest/globals';
import { Cron, Duration, Lazy, Size } from 'cdk8s';
import * as plus from 'cdk8s-plus-28';
import { same } from '../both-ways.ts';

describe('constructs of cdk8s-plus come out as cdk8s renders them', () => {
  test('workloads', () => {
    same((chart) => {
      const config = new plus.ConfigMap(chart, 'config', { data: { key: 'value' } });
      const deployment = new plus.Deployment(chart, 'web', {
        replicas: 3,
        containers: [
          {
            image: 'nginx',
            portNumber: 8080,
            envVariables: {
              A: plus.EnvValue.fromConfigMap(config as plus.IConfigMap, 'key'),
              B: plus.EnvValue.fromValue('b'),
            },
            resources: {
              cpu: { limit: plus.Cpu.millis(500) },
              memory: { request: Size.mebibytes(64) },
            },
            liveness: plus.Probe.fromHttpGet('/healthz', { periodSeconds: Duration.seconds(5) }),
          },
        ],
      });
      deployment.containers[0]!.mount(
        '/config',
        plus.Volume.fromConfigMap(chart, 'volume', config as plus.IConfigMap),
      );
      deployment.exposeViaService({ serviceType: plus.ServiceType.CLUSTER_IP });
      deployment.scheduling.spread();
      new plus.CronJob(chart, 'nightly', {
        schedule: Cron.daily(),
        containers: [{ image: 'job' }],
      });
    });
  });

  test('access and network', () => {
    same((chart) => {
      const user = new plus.ServiceAccount(chart, 'user');
      const role = new plus.Role(chart, 'role');
      role.allowRead(plus.ApiResource.PODS);
      role.bind(user);
      new plus.NetworkPolicy(chart, 'deny', {
        selector: plus.Pods.all(chart, 'all'),
        ingress: { default: plus.NetworkPolicyTrafficDefault.DENY },
        egress: {
          rules: [
            {
              peer: plus.NetworkPolicyIpBlock.ipv4(chart, 'block', '10.0.0.0/8'),
              ports: [plus.NetworkPolicyPort.tcp(443)],
            },
          ],
        },
      });
      new plus.Namespace(chart, 'namespace');
      new plus.Secret(chart, 'secret', { stringData: { a: 'b' }, immutable: true });
    });
  });

  test('generated classes', () => {
    same((chart) => {
      new plus.k8s.KubeLimitRange(chart, 'limits', {
        spec: { limits: [{ type: 'Container', max: { cpu: plus.k8s.Quantity.fromString('2') } }] },
      });
      new plus.k8s.KubePodDisruptionBudget(chart, 'budget', {
        spec: {
          minAvailable: plus.k8s.IntOrString.fromString('50%'),
          selector: { matchLabels: { a: 'b' } },
        },
      });
      new plus.k8s.KubeService(chart, 'service', {
        spec: Lazy.any({
          produce: () => ({
            ports: [{ port: 80, targetPort: plus.k8s.IntOrString.fromNumber(8080) }],
          }),
        }) as plus.k8s.ServiceSpec,
      });
      new plus.k8s.KubePriorityClass(chart, 'priority', { value: 10, globalDefault: false });
      new plus.k8s.KubeDeployment(chart, 'deployment', {
        metadata: { labels: { unsorted: 'z', a: 'b' } },
        spec: {
          selector: {},
          template: { spec: { containers: [{ name: 'c', args: ['--x'], env: [] }] } },
        },
      });
    });
  });
});

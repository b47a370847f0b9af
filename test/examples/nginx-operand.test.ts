import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploymentOf, FORCED, selectorOf } from '../../examples/nginx/deployment.ts';
import { LISTEN_CONF, NGINX_CONF, operandOf, readOperand } from '../../examples/nginx/operand.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import { root } from '../structure/tracked.ts';

const text = readFileSync(join(root, 'examples/nginx/operand.yaml'), 'utf8');
const operand = readOperand();
const port = (containerPort: number, name?: string) => ({
  containerPort,
  protocol: 'TCP' as const,
  ...(name !== undefined && { name }),
});
const made = (wanted: Partial<Parameters<typeof deploymentOf>[2]> = {}) =>
  deploymentOf(operand, 'sample', { ports: [port(8080)], ...wanted });
const templateOf = (deployment = made()) => deployment.spec!.template!;

test('the manifest is a valid Deployment, to every reader and by the Kubernetes schema', () => {
  const { documents, problems } = readDocuments(text);
  expect(problems).toEqual([]);
  const [manifest] = documents.map(({ value }) => value as KubeObject);
  expect(operand).toEqual(manifest);
  const metadata = { name: 'sample', namespace: 'default' };
  expect(validateBuiltinObject({ ...manifest!, metadata })).toEqual([]);
});

test('a Deployment built from it is valid, too', () => {
  const { metadata, ...rest } = made({ replicas: 3, forceRedploy: 'now' });
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', ...rest };
  expect(
    validateBuiltinObject({ ...object, metadata: { ...metadata, name: 'sample' } } as KubeObject),
  ).toEqual([]);
});

test('a manifest that the operator cannot use is rejected with all of its errors', () => {
  const wrong = text
    .replace('replicas: 1', 'replicas: one')
    .replace('operator.example.com/listen.conf: |', 'operator.example.com/listen: |')
    .replace('- name: nginx\n          image', '- name: web\n          image');
  expect(() => operandOf(wrong)).toThrow(
    /spec\.replicas must be .*\n.*listen\.conf must be .*\n.*containers\.0\.name must be /,
  );
  expect(() => operandOf('')).toThrow('operand.yaml');
  expect(() => operandOf(emitYaml([{ apiVersion: 'v1', kind: 'Pod' }]))).toThrow('kind must be');
});

test('fields that are not set come from the manifest, and 0 is a value', () => {
  expect(made().spec?.replicas).toBe(1);
  expect(made({ replicas: 0 }).spec?.replicas).toBe(0);
  expect(made({ replicas: 7 }).spec?.replicas).toBe(7);
  expect(templateOf().metadata?.annotations).not.toHaveProperty([FORCED]);
  expect(templateOf(made({ forceRedploy: '' })).metadata?.annotations).toHaveProperty([FORCED], '');
});

test('nginx listens on the ports of the pod and on no others', () => {
  const ports = [port(80, 'http'), port(9000)];
  const template = templateOf(made({ ports }));
  expect(template.metadata?.annotations?.[LISTEN_CONF]).toBe('listen 80;\nlisten 9000;\n');
  const [nginx] = template.spec!.containers!;
  expect(nginx).toMatchObject({ ports, readinessProbe: { tcpSocket: { port: 80 } } });
  // The default port of the definition is written in the manifest only.
  expect(operand.spec.template.metadata.annotations[LISTEN_CONF]).toBe('listen 8080;\n');
});

test('the pod mounts the files of nginx where nginx reads them', () => {
  const { metadata, spec } = templateOf();
  const [nginx] = spec!.containers!;
  const mounts = new Map(nginx!.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]));
  const files = spec!.volumes!.flatMap(({ name, downwardAPI }) =>
    (downwardAPI?.items ?? []).map(({ path, fieldRef }) => {
      const [, annotation = ''] = /^metadata\.annotations\['(.*)'\]$/.exec(fieldRef!.fieldPath!)!;
      expect(metadata?.annotations).toHaveProperty([annotation]);
      return `${mounts.get(name)}/${path}`;
    }),
  );
  const conf = operand.spec.template.metadata.annotations[NGINX_CONF]!;
  expect(nginx!.command).toContain(files[0]);
  expect(conf).toContain(`include ${files[1]};`);
  expect(conf.match(/listen /g)).toBeNull();
  // Every file that nginx writes is in the one writable folder.
  const written = [...conf.matchAll(/(?:pid|_temp_path) (\S+);/g)].map(([, path]) => path);
  expect(written).toHaveLength(6);
  expect(written.every((path) => path!.startsWith(`${mounts.get('tmp')}/`))).toBe(true);
});

test('only a change produces another template', () => {
  expect(made({ forceRedploy: 'a' })).toEqual(made({ forceRedploy: 'a' }));
  expect(templateOf(made({ replicas: 5 }))).toEqual(templateOf(made()));
  expect(templateOf(made({ forceRedploy: 'b' }))).not.toEqual(
    templateOf(made({ forceRedploy: 'a' })),
  );
});

test('the reported selector selects the pods of this object alone', () => {
  const { labels = {} } = templateOf().metadata!;
  const selector = selectorOf(operand, 'sample').split(',');
  expect(selector.every((one) => labels[one.split('=')[0]!] === one.split('=')[1])).toBe(true);
  expect(selector).toContain('app.kubernetes.io/instance=sample');
  expect(made().spec?.selector?.matchLabels).toEqual(
    Object.fromEntries(selector.map((one) => one.split('='))),
  );
});

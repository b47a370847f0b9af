import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildObjects, operatorParts } from '../parts/parts.ts';
import { watchedNamespaces } from '../parts/rights.ts';
import { permits } from '@tenantry/kube/access';
import { validateDocumentMetadata, validateDocument } from '@tenantry/kube/document';
import type { KubeObject } from '@tenantry/kube/object';
import { validateDefinition } from '@tenantry/crd/validation';
import { validateBuiltinMerge } from '@tenantry/crd/schema/builtin-merge';
import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { operatorSpec } from '@tenantry/test-tools/constructs/arbitrary-operator';
import type { Fields } from '@tenantry/test-tools/constructs/operator-specs';

const identityOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

test('for any operator, each object is valid, has only known fields, and exists once', () => {
  const asked = new Set<string>();
  fc.assert(
    fc.property(operatorSpec, (spec) => {
      const objects = Object.values(buildObjects(operatorParts(spec)));
      for (const object of objects) {
        expect(validateDocument(object)).toBeUndefined();
        expect(validateDocumentMetadata(object.metadata)).toBeUndefined();
        const faults = validateBuiltinObject(object);
        if (faults) asked.add(object.kind);
        expect(faults ?? []).toEqual([]);
        expect(validateBuiltinMerge(object)).toEqual([]);
        if (object.kind === 'CustomResourceDefinition') {
          expect(validateDefinition(object).errors).toEqual([]);
        }
      }
      const identities = objects.map(identityOf);
      expect(identities).toEqual([...new Set(identities)]);
    }),
    runs(300),
  );
  expect([...asked].toSorted()).toEqual([
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Role',
    'RoleBinding',
    'Secret',
    'Service',
    'ServiceAccount',
  ]);
});

/** The ports by which other objects refer to the pods. */
test('every reference to a port of the pods names an existing one', () => {
  fc.assert(
    fc.property(operatorSpec, (spec) => {
      const { workload } = operatorParts(spec);
      const [container] = workload.deployment.spec.template.spec.containers;
      const names = (container.ports ?? []).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const services = [workload.service, workload['webhook-service']];
      const targets = services.flatMap(
        (one) => one?.spec.ports.map((port) => port.targetPort) ?? [],
      );
      const probes = [container.livenessProbe, container.readinessProbe] as readonly (
        Fields | undefined
      )[];
      const probed = probes.flatMap((one) => (one ? [one['httpGet'].port as string] : []));
      expect([...targets, ...probed].filter((name) => !names.includes(name))).toEqual([]);
    }),
    runs(200),
  );
});

test('an operator has exactly the declared rights, only in the namespaces that it watches', () => {
  fc.assert(
    fc.property(operatorSpec, (spec) => {
      const { rights } = operatorParts(spec);
      const watched = watchedNamespaces(spec);
      for (const { verbs, ...rule } of spec.access) {
        const isOfCluster = rule.resource.startsWith('regions');
        const places =
          rule.namespaces ?? (isOfCluster ? [undefined] : (watched ?? [undefined, 'any']));
        for (const namespace of places) {
          for (const verb of verbs) {
            const request = { ...rule, verb, name: rule.resourceNames?.[0], namespace };
            expect(permits(rights.declared, request)).toBe(true);
          }
        }
      }
      for (const { verbs, ...rule } of rights.declared) {
        for (const verb of verbs) {
          const request = {
            ...rule,
            verb,
            name: rule.resourceNames?.[0],
            namespace: rule.namespaces?.[0],
          };
          expect(permits(spec.access, request)).toBe(true);
        }
      }
    }),
    runs(200),
  );
});

import { resolve } from 'node:path';
import { openRenderCache, render } from '../synth/app/synthesis.ts';
import type { Summary } from '../synth/report.ts';
import type { Run } from '../synth/run.ts';
import { readFleet } from './fleet-sources.ts';
import type { FleetInput } from './fleet-input.ts';
import { renderArgoCDFiles } from '../model/argocd/platform/files.ts';
import { requireDeletionConfirmation } from '@tenantry/kube/argocd-directives';
import { layout } from '../model/layout.ts';
import { buildOperatorInstallation } from '../model/operator/operator-objects.ts';
import { buildMonitoringObjects } from '../model/operator/monitoring/objects.ts';
import type { Fleet } from '../model/fleet.ts';
import { buildHardeningPolicies } from '../model/hardening/policies.ts';
import { CONCERNS, concernName } from '../model/ownership.ts';
import { buildAdoptionPolicy, buildGuardPolicy } from '../model/policies/ownership.ts';
import { policies } from '../model/policies/policies.ts';
import { buildAllowListPolicies } from '../model/policies/allow-lists.ts';
import { buildTenantUserPolicy } from '../model/policies/policy.ts';
import { buildReservedKeysPolicy } from '../model/policies/reserved-keys.ts';
import { crdManifest, type Definition } from '@tenantry/crd/definition';
import type { KubeObject } from '@tenantry/kube/object';
import { listOwnKinds } from '../model/own-kinds.ts';
import type { OutputFile, Source } from '../synth/files.ts';

/**
 * Renders a folder of tenants and a platform file, like an app that calls `declareFleet` and adds
 * nothing. It loads no cdk8s.
 * @param onDifference called with each file that differs from the one in the output folder
 * @throws {InvalidInput} with every problem; the folder is unchanged
 */
export function renderFleet(
  input: FleetInput,
  run: Run & { readonly out: string },
  onDifference?: (path: string, text: string) => void,
): Summary {
  const directory = resolve(run.out);
  const memory = openRenderCache(run, directory);
  const { fleet, sources } = readFleet(input, memory?.inputs);
  return render({
    run,
    directory,
    memory,
    sources: [platformFiles(fleet), ...sources],
    ...(onDifference && { onDifference }),
  });
}

/**
 * Renders the files of `PlatformObjects` without constructs, since loading cdk8s takes as long as
 * rendering a small fleet.
 */
export function platformFiles(fleet: Fleet): Source {
  return {
    synthesize(sink) {
      for (const { name: cluster, kubernetesVersion } of fleet.platform.clusters) {
        const files = renderClusterFiles(cluster, fleet, kubernetesVersion);
        sink.add({ id: `platform/${cluster}`, files, namespaces: [] });
      }
      const argocd = [...renderArgoCDFiles(fleet.platform)];
      const files = argocd.map(([path, content]) => ({ path, content }));
      if (files.length > 0) sink.add({ id: 'argocd', files, namespaces: [] });
    },
  };
}

/** Equal for all clusters, and for all fleets in which the operator may do the same. */
const definitions = new Map<Definition, readonly KubeObject[]>();

function renderDefinition(definition: Definition): readonly KubeObject[] {
  const known = definitions.get(definition);
  if (known) return known;
  const rendered = [requireDeletionConfirmation(crdManifest(definition))];
  definitions.set(definition, rendered);
  return rendered;
}

function* renderClusterFiles(
  cluster: string,
  { platform, classes }: Fleet,
  kubernetesVersion?: string,
): Generator<OutputFile> {
  for (const definition of listOwnKinds(platform)) {
    const name = `${definition.plural}.${definition.group}`;
    yield { path: layout.crd(cluster, name), content: renderDefinition(definition) };
  }
  const operator = Object.values(
    buildOperatorInstallation(platform, cluster, classes.clusterRoles),
  );
  yield { path: layout.operator(cluster), content: operator };
  const monitoring = Object.values(buildMonitoringObjects(platform));
  if (monitoring.length > 0) yield { path: layout.monitoring(cluster), content: monitoring };
  yield { path: layout.policy(cluster, 'tenant-guard'), content: buildGuardPolicy(platform) };
  const reservedKeys = layout.policy(cluster, 'tenant-reserved-keys');
  yield { path: reservedKeys, content: buildReservedKeysPolicy(platform, cluster) };
  yield { path: layout.policy(cluster, 'tenant-adoption'), content: buildAdoptionPolicy(platform) };
  for (const concern of CONCERNS) {
    const path = layout.policy(cluster, `tenant-${concernName(concern)}`);
    yield { path, content: buildTenantUserPolicy(policies[concern], platform) };
  }
  const hardening = layout.policy(cluster, 'tenant-hardening');
  yield { path: hardening, content: buildHardeningPolicies(kubernetesVersion) };
  const lists = layout.policy(cluster, 'tenant-allow-lists');
  yield { path: lists, content: buildAllowListPolicies() };
}

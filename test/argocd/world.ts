import type { PlatformSpec } from '../../crds/platform.ts';
import type { Cluster } from '@tenantry/testing/controlplane/cluster';
import type { Texts } from '../synth/output/folders.ts';
import { ArgoCd } from './argocd.ts';
import { Company } from './company.ts';
import { madeOnce } from './made-once.ts';
import { SeenCluster } from './seen.ts';
import type { ArgoCdTests } from './tests.ts';

/** The user name of Argo CD on the cluster. */
export const CONTROLLER = 'system:serviceaccount:argocd:argocd-application-controller';

/** The state that the tests of a file share: a company with a cluster, where Argo CD syncs the company's repository. */
export interface World {
  readonly cluster: Cluster;
  readonly company: Company;
  readonly argoCd: ArgoCd;
  readonly seen: SeenCluster;
}

/** Seconds. Argo CD is notified of changes, and shorter intervals would only keep it busy. */
const resync = 300;

/**
 * Starts the world on first use and stops it at the end of the file.
 * @param declare returns the first files, and further fields of the Platform; called at the start
 */
export function sharedWorld(
  given: ArgoCdTests,
  declare: () => { readonly files: Texts; readonly platform?: PlatformSpec },
): () => Promise<World> {
  return madeOnce(async (stack) => {
    const operator = { image: 'registry.example.com/tenantry:0.1.0', driftPolicy: 'Heal' } as const;
    const { files, platform } = declare();
    const company = stack.use(new Company({ ...platform, operator }, files));
    const cluster = stack.use(await given.newCluster());
    const argoCd = stack.use(await ArgoCd.start(cluster, { ...given, resync }));
    await company.merge('Begin');
    await argoCd.bootstrap(company.dist);
    return { cluster, company, argoCd, seen: new SeenCluster(cluster) };
  });
}

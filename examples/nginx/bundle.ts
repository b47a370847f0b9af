import type { Construct } from 'constructs';
import { App } from '../../index.ts';
import { Bundle, Catalog, type BundleProps } from '@tenantry/olm/constructs';
import { NAME } from './deployment.ts';
import { readOperand } from './operand.ts';
import { operatorOf } from './operator.ts';
import { versions, type ReleaseVersion } from './releases.ts';

/** How a release is offered in the catalog. */
interface Offer {
  readonly channels: readonly string[];
  /** The release date. It is written here so that the same source gives the same bytes. */
  readonly createdAt: string;
  /** The previous release, which this one replaces. */
  readonly replaces?: ReleaseVersion;
}

const offers: Readonly<Record<ReleaseVersion, Offer>> = {
  '0.0.1': { channels: ['candidate', 'fast', 'stable'], createdAt: '2026-09-01T08:00:00Z' },
  '0.1.0': {
    channels: ['candidate', 'fast', 'stable'],
    createdAt: '2026-10-01T08:00:00Z',
    replaces: '0.0.1',
  },
  // Not in `stable`: a cluster with this release cannot go back to 0.0.1, which does not know the
  // stored version.
  '0.2.0': {
    channels: ['candidate', 'fast'],
    createdAt: '2026-11-01T08:00:00Z',
    replaces: '0.1.0',
  },
};

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <path d="M50 2 92 26v48L50 98 8 74V26z" fill="#2e7d32"/>
  <path d="M34 70V30l32 40V30" fill="none" stroke="#fff" stroke-width="9"/>
</svg>`;

/** An example object for each version. */
const examples = {
  v1alpha1: exampleOf('v1alpha1', { port: 8080, replicas: 2 }),
  v1alpha2: exampleOf('v1alpha2', {
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'admin', containerPort: 9000 },
    ],
    replicas: 2,
  }),
};

function exampleOf(version: string, spec: object): object {
  const apiVersion = `operator.example.com/${version}`;
  return { apiVersion, kind: 'NginxOperator', metadata: { name: 'sample' }, spec };
}

/** Returns the properties of the `Bundle` of a release. */
export function bundlePropsOf(version: ReleaseVersion): BundleProps {
  const { channels, createdAt, replaces } = offers[version];
  return {
    operator: operatorOf(version, { certificates: 'cert-manager' }),
    displayName: 'Nginx Operator',
    description: 'Runs nginx on the ports that an NginxOperator names, and keeps it running.',
    channels,
    defaultChannel: 'stable',
    ...(replaces && { replaces: `${NAME}.v${replaces}` }),
    minKubeVersion: '1.30.0',
    maturity: 'alpha',
    capabilities: 'Seamless Upgrades',
    categories: ['Networking'],
    keywords: ['nginx', 'http', 'web server'],
    provider: { name: 'Example', url: 'https://example.com' },
    maintainers: [{ name: 'Web servers', email: 'web-servers@example.com' }],
    links: [{ name: 'Source', url: 'https://example.com/nginx-operator' }],
    repository: 'https://example.com/nginx-operator',
    support: 'Web servers',
    createdAt,
    annotations: { description: 'Runs nginx on the ports that an NginxOperator names.' },
    icon: [{ base64data: Buffer.from(icon).toString('base64'), mediatype: 'image/svg+xml' }],
    kinds: { 'nginxoperators.operator.example.com': { displayName: 'Nginx', examples } },
    images: { nginx: readOperand().spec.template.spec.containers[0].image },
    suite: 'community',
  };
}

/** Creates the bundle of a release, in an app. */
export function bundleOf(version: ReleaseVersion, scope: Construct): Bundle {
  return new Bundle(scope, `bundle-${version}`, bundlePropsOf(version));
}

/** Creates all bundles, and the catalog that offers them. */
export function catalogOf(scope: Construct): Catalog {
  const bundles = versions.map((version) => bundleOf(version, scope));
  const image = 'quay.io/example/{package}-bundle:v{version}';
  return new Catalog(scope, 'catalog', { bundles, image });
}

if (import.meta.main) {
  const app = new App({ ...(process.argv[2] !== undefined && { outdir: process.argv[2] }) });
  catalogOf(app);
  app.synth();
}

/** The schema of the spec of a ClusterServiceVersion. */
import { labelSelector, list, map, object, required, string } from '@tenantry/crd/schema/language';
import {
  cleanup,
  groupVersionKind,
  icon,
  installMode,
  maintainer,
  namedLink,
  relatedImage,
  apiServices,
  customResources,
} from './presentation.ts';
import { install, webhook } from './installation.ts';
import { named } from './named.ts';

const version = string('Its version, semver.', { example: '1.2.3' });

const release = string('The release of the version: identifiers between dots.', {
  pattern:
    '^(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*$',
  maxLength: 20,
  must: "letters, digits and '-' between dots, numbers without a zero before them, at most 20 characters",
});

const words = (description: string) => list(description, string('An entry.'));
const pairs = (description: string) => map(description, string('A value.'));

export const spec = named(
  'ClusterServiceVersionSpec',
  object('The description, kinds, requirements and installation of an operator.', {
    displayName: required(string('The name for people.')),
    version,
    release,
    maturity: string('Its maturity, for people.', { example: 'stable' }),
    description: string('The description in Markdown.'),
    keywords: words('The keywords for a search.'),
    maintainers: list('The maintainers.', maintainer),
    provider: { ...namedLink, description: 'The provider.' },
    links: list('Further links.', namedLink),
    icon: list('The icon: exactly one.', icon),
    minKubeVersion: string('The oldest Kubernetes that it runs on, semver.', {
      example: '1.28.0',
      absent: 'any',
    }),
    installModes: list('The types of OperatorGroups that it supports.', installMode),
    install: required(install),
    customresourcedefinitions: customResources,
    apiservicedefinitions: apiServices,
    webhookdefinitions: list('The webhooks that it serves.', webhook),
    nativeAPIs: list('Kinds that the cluster itself must provide.', groupVersionKind),
    replaces: string('The ClusterServiceVersion that it replaces.', {
      example: 'redis-operator.v1.2.2',
    }),
    skips: words('Further ClusterServiceVersions that an upgrade to this one may skip.'),
    labels: pairs('Labels for tools; they are not applied to objects.'),
    annotations: pairs('Annotations for tools; they are not applied to objects.'),
    selector: labelSelector('The labels of the resources that belong to it.'),
    cleanup,
    relatedImages: list('All images that it needs, including those of its operands.', relatedImage),
  }),
);

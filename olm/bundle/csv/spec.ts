/** All that a ClusterServiceVersion says. */
import { labelSelector, list, map, object, required, string } from '../../../schema/language.ts';
import {
  cleanup,
  groupVersionKind,
  icon,
  installMode,
  maintainer,
  namedLink,
  relatedImage,
} from './about.ts';
import { apiServices, customResources } from './descriptions.ts';
import { install } from './install.ts';
import { named } from './named.ts';
import { webhook } from './webhooks.ts';

export const version = string('Its version, semver.', { example: '1.2.3' });

export const release = string('Which packaging of the version it is: identifiers between dots.', {
  pattern:
    '^(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*$',
  maxLength: 20,
  must: "letters, digits and '-' between dots, numbers without a zero before them, at most 20 characters",
});

const words = (description: string) => list(description, string('One of them.'));
const pairs = (description: string) => map(description, string('A value.'));

export const spec = named(
  'ClusterServiceVersionSpec',
  object('What an operator is, what it serves and needs, and how it is installed.', {
    displayName: required(string('How it is called where people read.')),
    version,
    release,
    maturity: string('How ripe it is, for people.', { example: 'stable' }),
    description: string('What it is, in Markdown.'),
    keywords: words('What people search for.'),
    maintainers: list('Who looks after it.', maintainer),
    provider: { ...namedLink, description: 'Who stands behind it.' },
    links: list('Where to read on.', namedLink),
    icon: list('The picture that stands for it: one.', icon),
    minKubeVersion: string('The oldest Kubernetes that it runs on, semver.', {
      example: '1.28.0',
      absent: 'any',
    }),
    installModes: list('How many namespaces it can watch.', installMode),
    install: required(install),
    customresourcedefinitions: customResources,
    apiservicedefinitions: apiServices,
    webhookdefinitions: list('The webhooks that it serves.', webhook),
    nativeAPIs: list('Kinds that the cluster itself must have.', groupVersionKind),
    replaces: string('The ClusterServiceVersion whose place it takes.', {
      example: 'redis-operator.v1.2.2',
    }),
    skips: words('Further ones that may be skipped on the way to it.'),
    labels: pairs('Labels for tools; they are put on nothing.'),
    annotations: pairs('Annotations for tools; they are put on nothing.'),
    selector: labelSelector('Which resources belong to it.'),
    cleanup,
    relatedImages: list("All images that it needs, its operands' among them.", relatedImage),
  }),
);

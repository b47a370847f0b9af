import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { stripClusterFields, omitNulls } from '../normalization/normalized-fields.ts';
import { isPinned } from '../image/reference.ts';
import {
  defineUpgradeRules,
  subtract,
  type ChangeReporter,
  type UpgradeCheck,
  type UpgradeFacts,
} from './upgrade-check.ts';

const rules = defineUpgradeRules('contents', {
  selector: [
    'deployment-selector',
    'breaking',
    'a Deployment of the same name has another selector: the API server refuses the change, and OLM retries forever; give it another name',
  ],
  deploymentGone: ['deployment-removed', 'review', 'OLM deletes a Deployment'],
  deploymentNew: ['deployment-added', 'fine', 'OLM creates a further Deployment'],
  imageMoved: [
    'image-repository',
    'review',
    'an image comes from another repository: mirrors and policies of images must know it',
  ],
  imageLoose: [
    'image-unpinned',
    'review',
    'an image is referenced by a tag that can move, and was referenced by its digest',
  ],
  image: ['image-changed', 'fine', 'another tag or digest of an image'],
  imageNew: ['image-added', 'review', 'a further image is needed: mirrors must have it'],
  imageGone: ['image-removed', 'fine', 'an image is no longer needed'],
  cleanup: [
    'cleanup-enabled',
    'review',
    'when the operator is removed, OLM deletes all objects of its kinds, and did not before',
  ],
  noCleanup: [
    'cleanup-disabled',
    'fine',
    'when the operator is removed, the objects of its kinds stay, and did not before',
  ],
  objectGone: ['object-removed', 'review', 'OLM deletes an object of the bundle'],
  objectNew: ['object-added', 'review', 'NEW contains a further object'],
  object: ['object-changed', 'review', 'an object of the bundle changes'],
});

/** The rules for what OLM creates from a bundle besides definitions and rights. */
export const contentsCheck: UpgradeCheck<UpgradeFacts> = {
  rules: Object.values(rules),
  compare(before, after, report) {
    compareDeployments(indexDeployments(before), indexDeployments(after), report);
    compareImages(indexImages(before), indexImages(after), report);
    const [old, now] = [before, after].map(({ spec }) => spec.cleanup?.enabled === true);
    if (!old && now) {
      const message = 'objects of its kinds are deleted when the operator is removed';
      report(rules.cleanup, 'spec.cleanup', message, { before: false, after: true });
    } else if (old && !now) {
      const message = 'objects of its kinds stay when the operator is removed';
      report(rules.noCleanup, 'spec.cleanup', message, { before: true, after: false });
    }
    compareObjects(indexObjects(before), indexObjects(after), report);
  },
};

type NamedValues = ReadonlyMap<string, unknown>;

function indexDeployments({ spec }: UpgradeFacts): NamedValues {
  const { deployments = [] } = spec.install?.spec ?? {};
  return new Map(deployments.map(({ name = '', spec: one }) => [name, one]));
}

function compareDeployments(olds: NamedValues, news: NamedValues, report: ChangeReporter): void {
  const [before, after] = [[...olds.keys()], [...news.keys()]];
  for (const name of subtract(before, after)) {
    report(rules.deploymentGone, `Deployment ${name}`, 'OLM deletes it', { before: name });
  }
  for (const name of subtract(after, before)) {
    report(rules.deploymentNew, `Deployment ${name}`, 'OLM creates it', { after: name });
  }
  for (const [name, old] of olds) {
    if (!news.has(name)) continue;
    const [a, b] = [old, news.get(name)].map((one) => selectorOf(one));
    if (isDeepEqual(a, b)) continue;
    const message =
      'spec.selector must stay as it is in a Deployment of that name: the API server refuses the change';
    report(rules.selector, `Deployment ${name}`, message, { before: a, after: b });
  }
}

function selectorOf(spec: unknown): unknown {
  const selector = valueAt(spec, ['selector']);
  return isMapping(selector) ? selector : {};
}

/** Returns images by their use: containers of the Deployments, and `relatedImages`. */
function indexImages({ spec }: UpgradeFacts): Map<string, string> {
  const images = new Map<string, string>();
  for (const { name: deployment = '', spec: one } of spec.install?.spec?.deployments ?? []) {
    for (const field of ['initContainers', 'containers']) {
      const containers = valueAt(one, ['template', 'spec', field]);
      for (const container of Array.isArray(containers) ? containers.filter(isMapping) : []) {
        const { name, image } = container;
        if (typeof image !== 'string') continue;
        images.set(`container ${typeof name === 'string' ? name : ''} of ${deployment}`, image);
      }
    }
  }
  for (const { name = '', image = '' } of spec.relatedImages ?? []) {
    images.set(`related image ${name}`, image);
  }
  return images;
}

function compareImages(
  olds: ReadonlyMap<string, string>,
  news: ReadonlyMap<string, string>,
  report: ChangeReporter,
): void {
  const [before, after] = [new Set(olds.values()), new Set(news.values())];
  const repositories = new Set([...olds.values()].map(parseRepository));
  for (const [subject, old] of olds) {
    const now = news.get(subject);
    if (now === old) continue;
    if (now === undefined) {
      if (!after.has(old))
        report(rules.imageGone, subject, `${old} is no longer used`, { before: old });
      continue;
    }
    const sides = { before: old, after: now };
    const message = `was ${old}, and is ${now}`;
    if (isPinned(old) && !isPinned(now)) {
      report(rules.imageLoose, subject, `${message}: a tag may move`, sides);
    } else if (parseRepository(old) !== parseRepository(now))
      report(rules.imageMoved, subject, message, sides);
    else report(rules.image, subject, message, sides);
  }
  for (const [subject, now] of news) {
    if (olds.has(subject) || before.has(now)) continue;
    const isKnown = repositories.has(parseRepository(now));
    report(isKnown ? rules.image : rules.imageNew, subject, `${now} is used`, { after: now });
  }
}

function parseRepository(image: string): string {
  const [named = ''] = image.split('@', 1);
  return named.replace(/:[^/:]*$/, '');
}

/** The kinds that other rules compare. */
const kindsComparedElsewhere = new Set([
  'ClusterServiceVersion',
  'CustomResourceDefinition',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
]);

function indexObjects({ bundle }: UpgradeFacts): NamedValues {
  const objects = bundle.manifests.filter(({ kind }) => !kindsComparedElsewhere.has(kind));
  return new Map(objects.map(({ kind, name, value }) => [`${kind} ${name}`, value]));
}

/** Normalizes an object: removes what a cluster writes and what generators leave. */
function normalizeObject(object: unknown): unknown {
  if (!isMapping(object)) return object;
  const { status: _, ...others } = object;
  return stripClusterFields(omitNulls(others) as typeof object);
}

function compareObjects(olds: NamedValues, news: NamedValues, report: ChangeReporter): void {
  const [before, after] = [[...olds.keys()], [...news.keys()]];
  for (const subject of subtract(before, after)) {
    report(rules.objectGone, subject, 'OLM deletes it', { before: subject });
  }
  for (const subject of subtract(after, before)) {
    report(rules.objectNew, subject, 'the bundle contains it', { after: subject });
  }
  for (const [subject, old] of olds) {
    if (
      !news.has(subject) ||
      formatCanonicalJson(normalizeObject(old)) ===
        formatCanonicalJson(normalizeObject(news.get(subject)))
    )
      continue;
    report(rules.object, subject, 'it changed');
  }
}

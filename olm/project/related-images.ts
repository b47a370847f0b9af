import { isMapping } from '../../kube/mapping.ts';
import { listAt, nameOf, textAt, type BuiltObject, type ProjectTree } from './tree.ts';

/** An entry of `spec.relatedImages`. */
interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

/** An image in an environment variable of a container. */
interface Named extends RelatedImage {
  /** The Deployment and the container. */
  readonly by: string;
}

const PREFIX = 'RELATED_IMAGE_';

/**
 * Collects the images in environment variables `RELATED_IMAGE_<NAME>` of operators, as operator-sdk does. Two images
 * with the same name are prefixed with the names of their Deployment and container. An image in several variables is
 * listed once, without a name.
 *
 * Source: FindRelatedImages of github.com/operator-framework/operator-sdk/internal/cmd/operator-sdk/generate
 */
export function relatedImagesOf(
  deployments: readonly BuiltObject[],
  tree: ProjectTree,
): RelatedImage[] {
  const named = deployments.flatMap((deployment) => imagesIn(deployment, tree));
  const byImage = Map.groupBy(named, ({ image }) => image);
  const byName = Map.groupBy(named, ({ name }) => name);
  return [...byImage].map(([image, [first, ...more]]) => {
    const { name, by } = first!;
    if (more.length > 0) return { name: '', image };
    return { name: byName.get(name)!.length > 1 ? `${by}-${name}` : name, image };
  });
}

function imagesIn(deployment: BuiltObject, tree: ProjectTree): Named[] {
  const pod = ['spec', 'template', 'spec'];
  const containers = ['containers', 'initContainers'].flatMap((field) =>
    listAt(deployment.value, ...pod, field),
  );
  return containers.flatMap((container) =>
    listAt(container, 'env').flatMap((variable): Named[] => {
      const variableName = textAt(variable, 'name');
      if (!variableName.startsWith(PREFIX)) return [];
      const by = `${nameOf(deployment)}-${textAt(container, 'name')}`;
      const image = textAt(variable, 'value');
      if (image === '') {
        const got = isMapping(variable) && 'valueFrom' in variable ? 'valueFrom' : 'no value';
        tree.reportNotCarriedOver(
          deployment.file,
          `is not carried over: ${variableName} of ${by} must have a value, got ${got}`,
        );
        return [];
      }
      const name = variableName.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
      return [{ name, image, by }];
    }),
  );
}

import type { App } from 'cdk8s';
import type { Construct } from 'constructs';
import { ARTIFACTS, WARNING, type ConstructArtifacts } from '../../kube/output.ts';
import { constructMetadata, renderCharts, renderDeferred } from '../charts.ts';
import { CONSTRUCT_METADATA } from '../manifests/file-name.ts';
import type { ChartSink, ConstructPass } from './synthesis.ts';

/** Constructs that exist only while they are rendered. */
export interface DeferredTree {
  readonly id: string;
  readonly build: (scope: Construct) => void;
}

/**
 * Renders the charts of an app, then its deferred trees.
 * @param recorded whether construct-metadata.json is written, as cdk8s does for validation plugins
 */
export function createConstructPass(
  app: App,
  deferred: readonly DeferredTree[],
  recorded: boolean,
): ConstructPass {
  return (sink) => {
    const { paths } = sink;
    const objects = sink.attempt(() => sink.charts(renderCharts(app, { paths })));
    collectWarnings(app, sink);
    if (objects) collectArtifacts(app, sink);
    for (const { id, build } of deferred) {
      let tree: Construct | undefined;
      const watched = (scope: Construct): void => {
        tree = scope;
        build(scope);
        collectWarnings(scope, sink);
      };
      const made = sink.attempt(() => sink.charts(renderDeferred(app, id, watched, { paths })));
      if (made && tree) collectArtifacts(tree, sink);
    }
    if (recorded && objects) {
      sink.file({ path: CONSTRUCT_METADATA, content: constructMetadata(objects) });
    }
  };
}

function collectWarnings(scope: Construct, sink: ChartSink): void {
  for (const { node } of scope.node.findAll()) {
    for (const { type, data } of node.metadata) {
      if (type !== WARNING) continue;
      sink.warning({ path: '', message: `[${node.path}] ${data}`, rule: 'construct' });
    }
  }
}

/** Collects the artifacts of a valid tree. */
function collectArtifacts(scope: Construct, sink: ChartSink): void {
  for (const { node } of scope.node.findAll()) {
    for (const { type, data } of node.metadata) {
      if (type !== ARTIFACTS) continue;
      const given: ConstructArtifacts = data;
      for (const artifact of given.artifacts()) sink.artifact(artifact, node.path);
    }
  }
}

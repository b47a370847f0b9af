import type { App } from 'cdk8s';
import type { Construct } from 'constructs';
import { WARNING } from '../../kube/output.ts';
import { constructMetadata, renderCharts, renderDeferred } from '../charts.ts';
import { CONSTRUCT_METADATA } from '../manifests/filename.ts';
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
export function constructsOf(
  app: App,
  deferred: readonly DeferredTree[],
  recorded: boolean,
): ConstructPass {
  return (sink) => {
    const { paths } = sink;
    const objects = sink.attempt(() => sink.charts(renderCharts(app, { paths })));
    collectWarnings(app, sink);
    for (const { id, build } of deferred) {
      const watched = (scope: Construct): void => {
        build(scope);
        collectWarnings(scope, sink);
      };
      sink.attempt(() => sink.charts(renderDeferred(app, id, watched, { paths })));
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

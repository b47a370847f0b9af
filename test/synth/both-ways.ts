import { expect } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import type { ApiObjectProps, AppProps } from 'cdk8s';
import { renderObject } from '../../synth/charts/render.ts';
import { asJson, text } from './stock.ts';

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Renders every object of the charts twice: as cdk8s does, and here. Texts, so key order counts. */
export function bothWays(declare: (chart: Chart) => void, props: AppProps = {}) {
  const render = (how: (object: ApiObject, app: App) => unknown) => {
    const app = new App(props);
    const chart = new Chart(app, 'chart', { namespace: 'ns', labels: { team: 'a' } });
    declare(chart);
    const objects = chart.node.findAll().filter((c) => c instanceof ApiObject);
    expect(objects.length).toBeGreaterThan(0);
    return text(asJson(objects.map((object) => how(object, app))));
  };
  return {
    stock: render((object) => object.toJson()),
    ours: render((object, app) => renderObject(object, app.resolvers)),
  };
}

export function same(declare: (chart: Chart) => void, props: AppProps = {}): void {
  const { stock, ours } = bothWays(declare, props);
  expect(ours).toBe(stock);
}
export function object(chart: Chart, fields: object, id = 'object'): ApiObject {
  return new ApiObject(chart, id, { ...CONFIG, ...fields } as ApiObjectProps);
}

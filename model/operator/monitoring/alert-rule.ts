import { OPERATOR } from '../access.ts';

/** An alerting rule in the format of Prometheus. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: Severity; readonly cause?: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    /** Absent if the platform does not name the URL of docs/operator.md. */
    readonly runbook_url?: string;
  };
}

/** `critical`: nobody monitors the tenants. `warning`: somebody must act. `info`: good to know. */
type Severity = 'critical' | 'warning' | 'info';

/** An alerting rule as it is written here. */
export type AlertDefinition = Omit<AlertRule, 'labels' | 'annotations'> & {
  readonly severity: Severity;
  readonly cause?: string;
  readonly summary: string;
  readonly description: string;
};

/** The job name is that of the Service, as Prometheus Operator sets it. */
export const job = `job="${OPERATOR}"`;
export const controller = `${job}, controller="tenant"`;

/** Takes the maximum over all replicas, of which one leads. Keeps the labels that identify a cluster. */
export const maxAcrossReplicas = (expr: string, ...labels: readonly string[]): string =>
  `max without (${['instance', 'pod', 'container', 'endpoint', ...labels].join(', ')}) (${expr})`;

/** Returns an expression that is true if the value is above zero in any replica. */
export const anyAboveZero = (metric: string, labels = job): string =>
  `${maxAcrossReplicas(`${metric}{${labels}}`)} > 0`;

/** Returns an expression that is true if a counter of any replica rose within five minutes. */
export const anyIncrease = (counter: string, ...labels: readonly string[]): string =>
  `sum without (${['instance', 'pod', 'container', 'endpoint', ...labels].join(', ')}) (increase(${counter}{${job}}[5m])) > 0`;

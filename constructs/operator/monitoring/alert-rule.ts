import { OPERATOR } from '../access.ts';

/** A rule that alerts, as Prometheus reads it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: Severity; readonly cause?: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    /** Absent where the platform does not say where docs/operator.md is read. */
    readonly runbook_url?: string;
  };
}

/** `critical`: nobody looks after tenants. `warning`: somebody has to see to it. `info`: it is good to know. */
export type Severity = 'critical' | 'warning' | 'info';

/** A rule as it is written here. */
export type AlertDefinition = Omit<AlertRule, 'labels' | 'annotations'> & {
  readonly severity: Severity;
  readonly cause?: string;
  readonly summary: string;
  readonly description: string;
};

/** By the name of its Service, as Prometheus Operator has it. */
export const job = `job="${OPERATOR}"`;
export const controller = `${job}, controller="tenant"`;

/** Of all replicas, of which one leads; labels by which clusters are told apart stay. */
export const maxAcrossReplicas = (expr: string, ...labels: readonly string[]): string =>
  `max without (${['instance', 'pod', 'container', 'endpoint', ...labels].join(', ')}) (${expr})`;

/** More than none, in all replicas. */
export const anyAboveZero = (metric: string, labels = job): string =>
  `${maxAcrossReplicas(`${metric}{${labels}}`)} > 0`;

/** Whatever happened of it in five minutes, in all replicas. */
export const anyIncrease = (counter: string, ...labels: readonly string[]): string =>
  `sum without (${['instance', 'pod', 'container', 'endpoint', ...labels].join(', ')}) (increase(${counter}{${job}}[5m])) > 0`;

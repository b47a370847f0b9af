import type { Capabilities, Category } from '../bundle/props.ts';

/** The capability levels of OperatorHub. */
export const capabilities: Readonly<Record<Capabilities, true>> = {
  'Basic Install': true,
  'Seamless Upgrades': true,
  'Full Lifecycle': true,
  'Deep Insights': true,
  'Auto Pilot': true,
};

/** The categories of OperatorHub. */
export const categories: Readonly<Record<Category, true>> = {
  'AI/Machine Learning': true,
  'Application Runtime': true,
  'Big Data': true,
  'Cloud Provider': true,
  Database: true,
  'Developer Tools': true,
  'Integration & Delivery': true,
  'Logging & Tracing': true,
  'Modernization & Migration': true,
  Monitoring: true,
  Networking: true,
  Observability: true,
  'OpenShift Optional': true,
  Security: true,
  Storage: true,
  'Streaming & Messaging': true,
};

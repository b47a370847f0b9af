import type { Capabilities, Category } from '../bundle/props.ts';

/** What an operator can do, in words of OperatorHub. */
export const capabilities: Readonly<Record<Capabilities, true>> = {
  'Basic Install': true,
  'Seamless Upgrades': true,
  'Full Lifecycle': true,
  'Deep Insights': true,
  'Auto Pilot': true,
};

/** Under what OperatorHub lists operators. */
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

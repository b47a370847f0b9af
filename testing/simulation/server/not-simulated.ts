/**
 * Something was asked of the simulated API server that a real one may well answer, and it does not know
 * how. It says so rather than to answer wrongly: a simulation that meets it fails, whoever catches it.
 */
export class NotSimulated extends Error {
  constructor(what: string) {
    super(`${what} is not simulated: try it on a real API server`);
    this.name = 'NotSimulated';
  }
}

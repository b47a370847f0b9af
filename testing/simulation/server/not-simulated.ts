/**
 * The error for a request that a real API server may answer and the simulated one cannot. It prevents a
 * wrong answer: the simulation fails even where the caller catches the error.
 */
export class NotSimulated extends Error {
  constructor(what: string) {
    super(`${what} is not simulated: try it on a real API server`);
    this.name = 'NotSimulated';
  }
}

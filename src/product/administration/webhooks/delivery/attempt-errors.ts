/** Why an attempt failed, as it is kept, and as `delivery show` prints it. */
export const attemptErrors = {
  refused: 'The address of the endpoint is not allowed.',
  late: 'The endpoint did not answer in time.',
  unreadable: 'The answer could not be read.',
  certificate: 'The certificate of the endpoint could not be verified.',
  unresolved: 'The name of the endpoint could not be resolved.',
  unconnected: 'The connection to the endpoint failed.',
} as const

export type AttemptError = keyof typeof attemptErrors

/** Which of them a kept one is; undefined for that of another version. */
export function attemptErrorOf(kept: string): AttemptError | undefined {
  return (Object.keys(attemptErrors) as AttemptError[]).find(key => attemptErrors[key] === kept)
}

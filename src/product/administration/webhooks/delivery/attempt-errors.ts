/** The reasons why an attempt failed, as the database keeps them and `delivery show` prints them. */
export const attemptErrors = {
  refused: 'The address of the endpoint is not allowed.',
  late: 'The endpoint did not answer in time.',
  unreadable: 'The answer could not be read.',
  certificate: 'The certificate of the endpoint could not be verified.',
  unresolved: 'The name of the endpoint could not be resolved.',
  unconnected: 'The connection to the endpoint failed.',
} as const

export type AttemptError = keyof typeof attemptErrors

/** Returns the key of a kept reason, or undefined for a reason of another version. */
export function attemptErrorOf(kept: string): AttemptError | undefined {
  return (Object.keys(attemptErrors) as AttemptError[]).find(key => attemptErrors[key] === kept)
}

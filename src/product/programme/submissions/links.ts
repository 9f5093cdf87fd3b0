import type { Server } from '#machinery/mail/kind.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import type { Submission, Submitter } from './schemas.ts'

/** The paths of abstracts and of the people who submit them, below the address of a server. */
export const ABSTRACTS_PATH = '/abstracts'
export const SUBMITTERS_PATH = '/submitters'

/** The parameter of the address of a call by which members see its pages before others do. */
export const PREVIEW = 'preview'

type Version = Pick<Submitter, 'secret_version'>

/** Returns the address of one submission. Whoever has it may do with it what its submitter may. */
export function submissionUrl(
  { baseUrl, secret }: Server,
  { secret_version: version }: Version,
  { id }: Pick<Submission, 'id'>,
): string {
  return `${baseUrl}${ABSTRACTS_PATH}/${linkSecret(secret, 'submission', { id, version })}`
}

/** Returns the address of all that a person has submitted. Only mails to that person have it. */
export function submitterUrl(
  { baseUrl, secret }: Server,
  { id, secret_version: version }: Pick<Submitter, 'id'> & Version,
): string {
  return `${baseUrl}${SUBMITTERS_PATH}/${linkSecret(secret, 'submitter', { id, version })}`
}

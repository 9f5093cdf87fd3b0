import type { Server } from '#machinery/mail/kind.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import type { Reviewer } from './reviewer-schemas.ts'

/** The path of what people review, below the address of a server. */
export const REVIEW_PATH = '/review'

/** Returns the address of all that somebody has to review in an event. Only mails to that person have it. */
export function reviewerUrl(
  { baseUrl, secret }: Server,
  { id, secret_version: version }: Pick<Reviewer, 'id' | 'secret_version'>,
): string {
  return `${baseUrl}${REVIEW_PATH}/${linkSecret(secret, 'reviewer', { id, version })}`
}

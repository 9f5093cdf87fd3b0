import type { DatePlace } from '#product/catalog/events/schemas.ts'
import type { noticeKinds } from './kinds.ts'

/**
 * Describes a notice to those who have tickets of an event. The job that writes the mails keeps it, so it has no personal data.
 */
export type Notice = {
  kind: keyof typeof noticeKinds
  /** The cause of the mails. Nobody gets two with the same cause. */
  cause: string
  /** In milliseconds. Those added later know it already. */
  until: number
  /** Whether a reminder also goes to those who did not order here. */
  isForAll: boolean
  /** The date and place that they know, if these have changed. */
  was: DatePlace | null
}

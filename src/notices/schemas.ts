import type { DatePlace } from '../events/schemas.ts'
import type { noticeKinds } from './kinds.ts'

/** What those who have tickets of an event are told of it, as the job has it that writes the mails: nothing of a person. */
export type Notice = {
  kind: keyof typeof noticeKinds
  /** Of the mails: nobody gets two of it. */
  cause: string
  /** In milliseconds: who came later knows it already. */
  until: number
  /** Of a reminder: also for those who did not order here. */
  isForAll: boolean
  /** What they know of date and place, where that has changed. */
  was: DatePlace | null
}

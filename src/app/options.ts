import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import type { MemoryBudget } from '#machinery/http/memory-budget.ts'
import type { TextLookup } from '#machinery/mail/domain-watch.ts'
import type { Patient } from '#machinery/ops/doctor/examine.ts'
import type { FollowedClock } from '#machinery/ops/followed-clock.ts'
import type { DiskSpace } from '#machinery/ops/instance-needs.ts'
import type { RecurringName } from './schedule.ts'

/** What the whole server is given beside its config. */
export interface AppOptions {
  clock: Clock
  /** The clock that follows that of a database which other machines use too, if it does. */
  followed?: FollowedClock | undefined
  log: Logger
  /** Stops the process, because the disk has failed and its state is unknown, or because a Refusal says what was lost. */
  onFailure: (error: unknown) => void
  /** For tests, of webhooks: the deadline of an attempt, how soon a quick answer comes, the look-up of names, and the source of the jitter. */
  webhookDeadline?: number
  webhookQuick?: number
  webhookLookup?: LookupFunction
  random?: () => number
  /** The milliseconds between the start and the first cleaning. */
  cleaningAfter?: number
  /** For tests: chooses the recurring work that the schedule runs. Without it, the schedule runs all. */
  recurs?: (name: RecurringName) => boolean
  /** Returns milliseconds of a clock that nobody sets. */
  monotonic?: Clock
  /** Limits on the memory of requests under way. */
  memory?: MemoryBudget
  /** For tests: returns the free space on the disk of a folder. */
  diskSpace?: (folder: string) => Promise<DiskSpace>
  /** For tests: waits as long as a server that stops goes on answering where there are others. */
  aside?: () => Promise<void>
  /** For tests: looks up the texts of names. */
  textLookup?: TextLookup
  /** For tests: what an examination hears from the machine. */
  machine?: Patient['machine']
}

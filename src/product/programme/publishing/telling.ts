import { unlessMissing } from '#base/problem.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue, reviveNewest } from '#machinery/mail/outbox.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { presentersOf } from '#product/programme/decisions/presenters.ts'
import { adopt } from '#product/programme/submissions/adopt.ts'
import * as versions from '#product/programme/versions/rules.ts'
import type { Language } from '#texts/languages.ts'
import { type Change, compare, listStanding, signOf } from './changes.ts'
import { movedMail, placeMails, removedMail, slotMail } from './mails.ts'

/** Names the kind of the job that tells of a published version. */
export const TELL_PROGRAMME = 'programme.tell'

/** The most abstracts that one write tells of. */
const BATCH = 20

/** The input of the job. */
export interface TellingInput {
  /** Of the version, and of the one before it. */
  number: number
  before: number | null
  /** Whether those are told too whose mails were withdrawn while no programme was public. */
  again?: boolean
  /** Of those whose language nobody knows. */
  language: Language
}

/**
 * Mails whoever is behind an abstract whose place is new, another or gone, and those who present it. The version is the cause of a
 * mail, so that nobody is told twice of one change. Versions never change, and so what is left to tell is the same each time.
 */
export const tellProgramme: JobKind = {
  name: TELL_PROGRAMME,
  permission: 'abstracts',
  async run(tx, job) {
    const until = performance.now() + tx.batchTime
    const { number, before, language, again } = job.input as unknown as TellingInput
    const eventId = job.event_id as string
    const is = await versions.find(tx, eventId, number)
    const was = before === null ? undefined : await versions.find(tx, eventId, before)
    const { added, moved, removed } = compare(was?.content, is?.content)
    const all = [
      ...[...added, ...moved, ...removed],
      ...(again ? listStanding(was?.content, is?.content) : []),
    ]
    let mails = ((job.outcome as { mails?: number } | null)?.mails ?? 0) as number
    let at = job.done
    const end = Math.min(all.length, at + BATCH)
    for (; at < end && (at === job.done || performance.now() < until); at++)
      mails += await tellOf(tx, eventId, all[at] as Change, { number, language })
    return { position: null, done: at, finished: at >= all.length, outcome: { mails } }
  },
}

/** @returns how many mails were written */
async function tellOf(
  tx: WriteTx,
  eventId: string,
  change: Change,
  { number, language }: Pick<TellingInput, 'number' | 'language'>,
): Promise<number> {
  const { abstract_id: id } = change
  const abstract = await unlessMissing(getSubmitted(tx, id))
  if (abstract?.status !== 'accepted' || abstract.withdrawn_at !== null) return 0
  const of = await adopt(tx, id, language)
  const people = [
    { email: abstract.contact.email, language: of?.submitter.language ?? language, details: { number } },
    ...presentersOf(abstract).map(({ email }) => ({
      ...{ email, language, details: { number, to: 'presenter' } },
    })),
  ]
  const kind = kindOf(change)
  let count = 0
  for (const { email: recipient, language: own, details } of people) {
    if (recipient === ERASED_EMAIL) continue
    const mail = { recipient, details, subjectId: id }
    const isNew =
      kind === undefined
        ? await reviveNewest(tx, placeMails, mail)
        : await queue(tx, kind, { ...mail, cause: `${id} ${number}`, language: own, eventId })
    if (isNew) count++
  }
  return count
}

/** Returns what tells of a change. @returns undefined if nothing changes, so that only what was not sent before is to be told */
function kindOf({ before, after }: Change): typeof slotMail | undefined {
  if (signOf(before) === signOf(after)) return undefined
  if (before.length === 0) return slotMail
  return after.length === 0 ? removedMail : movedMail
}

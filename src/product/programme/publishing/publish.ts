import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Plan } from '#product/programme/timetable/schemas.ts'
import { readPlan } from '#product/programme/timetable/timetable.ts'
import * as versions from '#product/programme/versions/rules.ts'
import type { Frozen, PublicState, Version } from '#product/programme/versions/schemas.ts'
import type { Language } from '#texts/languages.ts'
import { type Changes, compare, countTold, isNothing, listStanding } from './changes.ts'
import { freeze } from './freeze.ts'
import { placeMails } from './mails.ts'
import { TELL_PROGRAMME, type TellingInput } from './telling.ts'

/** What publishing would do. */
export interface Publishing {
  timetable: Plan
  state: PublicState
  /** The newest version, public or not. */
  newest: Version | undefined
  /** What would be published. */
  content: Frozen
  /** What changes for visitors. */
  changes: Changes
  /** What changes for those who were told of the newest version. */
  untold: Changes
  /** Whether somebody was not told of an earlier version, as it was taken back before the mail went out. */
  hasUnsent: boolean
}

/** Reads what publishing the programme of an event would do now. */
export async function readPublishing(tx: ReadTx, eventId: string): Promise<Publishing> {
  const timetable = await readPlan(tx, eventId)
  const state = await versions.getState(tx, eventId)
  const newest = await versions.findNewest(tx, eventId)
  const content = freeze(timetable, await listPosters(tx, eventId), newest?.content)
  const untold = compare(newest?.content, content)
  return {
    ...{ timetable, state, newest, content, untold },
    // The version of a large meeting takes milliseconds to read and to compare, and most often the newest is public.
    changes:
      newest !== undefined && state.published === newest.number
        ? untold
        : compare((await versions.findPublished(tx, eventId))?.content, content),
    hasUnsent: state.published === null && newest !== undefined && (await hasWithdrawn(tx, eventId)),
  }
}

/** Returns whether mails about places were withdrawn. Some of them may say what is not so any more. */
async function hasWithdrawn(tx: ReadTx, eventId: string): Promise<boolean> {
  for (const { name: kind } of placeMails)
    if (await emails.hasOfKind(tx, eventId, { kind, status: 'withdrawn' })) return true
  return false
}

/** Returns the programme as it would be published now. @param plan of the event, if it was read already */
export async function readNext(tx: ReadTx, eventId: string, plan?: Plan): Promise<Frozen> {
  const newest = await versions.findNewest(tx, eventId)
  return freeze(plan ?? (await readPlan(tx, eventId)), await listPosters(tx, eventId), newest?.content)
}

async function listPosters(tx: ReadTx, eventId: string): Promise<Set<string>> {
  const kinds = (await calls.find(tx, eventId))?.kinds ?? []
  return new Set(kinds.filter(({ poster }) => poster).map(({ id }) => id))
}

/**
 * Publishes the programme of an event as it is built now. What says the same as the newest version makes none. Whoever has a new place,
 * or another than in the newest version, or none any more, is mailed by a job. So is who was not told of an earlier version, as the
 * programme was taken back before.
 *
 * @param language of those whose language nobody knows
 * @returns the version that is public now, and how many abstracts it is told of
 * @throws Problem seen_changed if there is nothing to publish
 */
export async function publish(
  tx: WriteTx,
  eventId: string,
  { by, language }: { by: string; language: Language },
): Promise<{ version: Version; told: number }> {
  const { content, newest, untold, hasUnsent } = await readPublishing(tx, eventId)
  if (content.sessions.length === 0) throw new Problem('seen_changed')
  const isSame = newest !== undefined && isNothing(untold)
  const version = isSame ? newest : await versions.add(tx, eventId, { content, by })
  await versions.show(tx, eventId, version.number)
  const told = countTold(untold)
  const total = told + (hasUnsent ? listStanding(newest?.content, content).length : 0)
  const again = hasUnsent ? { again: true } : {}
  const input: TellingInput = { number: version.number, before: newest?.number ?? null, language, ...again }
  if (total > 0) await jobs.start(tx, { kind: TELL_PROGRAMME, eventId, input, total, by })
  return { version, told }
}

/** Takes the programme from visitors. It can be published again. @throws Problem seen_changed if none is public */
export async function unpublish(tx: WriteTx, eventId: string): Promise<void> {
  if ((await versions.getState(tx, eventId)).published === null) throw new Problem('seen_changed')
  await versions.show(tx, eventId, null)
}

import * as v from 'valibot'
import { writeJson } from '#base/json-text.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { exportTimetable } from './export-timetable.ts'
import { type OrganizationProgramme, timetableSchema } from './timetable-items.ts'

/** Reads the programme of an event as a file that was just exported would say it. @returns undefined if it has none */
export async function readTimetable(tx: ReadTx, eventId: string): Promise<OrganizationProgramme | undefined> {
  const exported = await exportTimetable(tx, eventId)
  if (exported === undefined) return undefined
  const pieces: string[] = []
  await writeJson(exported, text => pieces.push(text))
  return v.parse(timetableSchema, JSON.parse(pieces.join('')))
}

import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { Planned } from './plan-row.ts'

/** The colour that an account or an event will have of its own. It is undefined if it stays as it is. */
export type PlannedColour = { accent: string | null } | undefined

/** Reads what the database has. @param owner an event, or null for the account */
export async function readColour(tx: ReadTx, owner: looks.Owner): Promise<string | null> {
  return (await looks.findOwn(tx, owner)).colour
}

/** Returns it as a file has it, which leaves out what is not there. */
export async function exportColour(tx: ReadTx, owner: looks.Owner): Promise<{ accent?: string }> {
  const accent = await readColour(tx, owner)
  return accent === null ? {} : { accent }
}

/** @param given null removes it, and what a file leaves out stays */
export function planColour(
  current: string | null | undefined,
  given: string | null | undefined,
): PlannedColour {
  return given === undefined || given === (current ?? null) ? undefined : { accent: given }
}

/** Returns the plan of what has the colour, which changes with it. */
export function withColour<Row, Some extends Planned<Row>>(planned: Some, colour: PlannedColour): Some {
  if (colour === undefined || planned.change === 'created') return planned
  return { ...planned, change: 'updated', fields: [...planned.fields, 'accent'] }
}

export async function applyColour(tx: WriteTx, owner: looks.Owner, colour: PlannedColour): Promise<void> {
  if (colour !== undefined) await looks.setColour(tx, owner, colour.accent)
}

import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { refuseUnsubscribed } from './subscriber.ts'

/** Reads everything that a refused request must leave as it was. Like all that reads events, it fails where nobody takes them. */
export function readState(db: Database) {
  return db.read(INSTANCE, async tx => {
    await refuseUnsubscribed(tx)
    return {
      types: await tx.all<{ name: string; sold: number }>(
        'SELECT name, sold FROM registration_types ORDER BY id',
      ),
      registrations: await tx.all('SELECT id, status, cancelled_at FROM registrations ORDER BY id'),
      attendees: await tx.all('SELECT id, voided FROM attendees ORDER BY id'),
      checkIns: await tx.all('SELECT id, attendee_id FROM check_ins ORDER BY id'),
      waitlist: await tx.all('SELECT id, notified_at FROM waitlist_entries ORDER BY id'),
      webhookEvents: await tx.all('SELECT id FROM webhook_events ORDER BY id'),
      keptAnswers: await tx.all(
        'SELECT idempotency_key, status FROM idempotent_responses ORDER BY idempotency_key',
      ),
    }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON that will be sent
export type Envelope = any

/** Returns the envelopes in the outbox, oldest first. */
export async function readOutbox(db: Database): Promise<Envelope[]> {
  return db.read(INSTANCE, async tx => {
    await refuseUnsubscribed(tx)
    const rows = await tx.all<{ body: string }>('SELECT body FROM webhook_events ORDER BY created_at, id')
    return rows.map(({ body }) => JSON.parse(body))
  })
}

/** The types of the events in the outbox, oldest first. */
export async function readEventTypes(db: Database): Promise<string[]> {
  return (await readOutbox(db)).map(({ type }) => type)
}

/** Returns how many places of a type are sold. */
export async function readSold(db: Database, typeId: string | undefined): Promise<number | undefined> {
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ sold: number }>('SELECT sold FROM registration_types WHERE id = $1', [typeId ?? '']),
  )
  return row?.sold
}

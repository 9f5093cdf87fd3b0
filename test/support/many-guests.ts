import { wordsOf } from '#base/words.ts'
import type { Database } from '#machinery/db/port.ts'

/** One write adds this many. */
const A_WRITE = 1_000

/**
 * Adds guests to an event as an import leaves them, each with a ticket, its words and a mail that was sent. Their codes are none
 * that a scanner takes.
 */
export async function addGuests(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
  count: number,
): Promise<void> {
  const numbers = await db.read(accountId, tx =>
    tx.one<{ account: number; event: number }>(
      `SELECT (SELECT a.number FROM accounts a WHERE a.id = $1) AS account, (SELECT e.number FROM events e WHERE e.id = $2) AS event`,
      [accountId, eventId],
    ),
  )
  const { account, event } = numbers as { account: number; event: number }
  for (let start = 0; start < count; start += A_WRITE) {
    await db.write(accountId, async tx => {
      const now = await tx.now()
      for (let at = start; at < Math.min(count, start + A_WRITE); at++) {
        const [name, email, id] = [`Guest ${at} of Many`, `guest-${at}@example.org`, `r${at}`]
        await tx.run(
          `INSERT INTO registrations (id, account_id, event_id, registration_type_id, reference, status, source, buyer_name,
             buyer_email, buyer_email_key, quantity, amount_subtotal, amount_total, currency, answers, language, confirmed_at,
             created_at, updated_at, number)
           VALUES ($1, $2, $3, $4, $1, 'confirmed', 'api', $5, $6, $6, 1, 0, 0, 'EUR', '{}', 'en', $7, $7, $7, $8)`,
          [id, accountId, eventId, typeId, name, email, now, 1_000_000 + at],
        )
        await tx.run(
          `INSERT INTO attendees (id, registration_id, position, name, email, qr_code, voided, created_at, updated_at)
           VALUES ($1, $2, 0, $3, $4, 'x', 0, $5, $5)`,
          [`t${at}`, id, name, email, now],
        )
        for (const word of wordsOf([{ name, email }]))
          await tx.run(
            `INSERT INTO registration_words (account_number, word, created_at, registration_number, event_number, updated_at)
             VALUES ($1, $2, $3, $4, $5, $3)`,
            [account, word, now, 1_000_000 + at, event],
          )
        await tx.run(
          `INSERT INTO emails (id, account_id, event_id, kind, cause, recipient, recipient_key, language, details, lane, status,
             attempts, sent_at, created_at, updated_at)
           VALUES ($1, $2, $3, 'guest_tickets', $1, $4, $4, 'en', '{}', 1, 'sent', 1, $5, $5, $5)`,
          [`m${at}`, accountId, eventId, email, now],
        )
      }
      await tx.run('UPDATE registration_types SET sold = sold + $2 WHERE id = $1', [
        typeId,
        Math.min(count, start + A_WRITE) - start,
      ])
    })
  }
}

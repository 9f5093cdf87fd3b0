import * as abstracts from '../abstracts/rules.ts'
import { recordedWrite } from '../access-log/recorded-write.ts'
import * as accessLog from '../access-log/rules.ts'
import * as scanLog from '../checkins/scan-log.ts'
import type { Reader } from '../db/batches.ts'
import type { Database } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import * as registrations from '../registrations/person.ts'
import * as waitlist from '../waitlist/rules.ts'
import { type ErasedCopies, eraseCopies } from './copies.ts'

/** Registrations that one write makes anonymous: few, so that no check-in waits for it. */
const A_WRITE = 10

/** What an account has of a person, and what stays as it is beside it. */
export interface PersonFound {
  /** Those that the person bought: with the buyer go the answers and the note. */
  registrations: number
  /** The person's own tickets. */
  tickets: number
  /** Tickets of others in the same registrations, which stay. */
  tickets_of_others: number
  waitlist_entries: number
  abstracts: number
}

export type Erased = PersonFound & ErasedCopies

/**
 * What `erasePerson` would make anonymous, in short reads. Copies, as those in webhooks, are not counted: nobody knows how many
 * there are without going through all.
 */
export async function findPerson(reader: Reader, accountId: string, email: string): Promise<PersonFound> {
  const key = emailKey(email)
  const found = nobody()
  for await (const ids of registrations.findByPerson(reader, accountId, email)) {
    for (const some of chunks(ids)) {
      await reader.read(async tx => {
        for (const id of some) add(found, await registrations.readShare(tx, accountId, id, key))
      })
    }
  }
  for await (const ids of waitlist.findByPerson(reader, accountId, key)) found.waitlist_entries += ids.length
  for await (const ids of abstracts.findByPerson(reader, accountId, key)) found.abstracts += ids.length
  return found
}

/**
 * Makes a person anonymous in all that an account has, in short writes: the names and e-mails of buyer, attendee, waiting entry,
 * author and contact, with the answers and the note of what was bought, and then the copies. Money, counts, states, seats and the
 * codes of tickets stay, as do all others. It may be stopped and begun again at any time; what comes in meanwhile is not its own.
 *
 * @param actor whose account it is: the access log has one entry, which does not name the person
 */
export async function erasePerson(
  db: Pick<Database, 'read' | 'write'>,
  actor: accessLog.Actor,
  email: string,
): Promise<Erased> {
  const { accountId } = actor
  const key = emailKey(email)
  const found = await findPerson(db, accountId, email)
  // First of all: what is done by halves has its entry too.
  await recordedWrite(db, actor, async () => undefined, {
    action: 'person.erase',
    targetType: 'person',
    details: () => ({ ...found }),
  })
  const done = nobody()
  for await (const ids of registrations.findByPerson(db, accountId, email)) {
    for (const some of chunks(ids)) {
      const shares = await db.write(accountId, async tx => {
        const written: registrations.Share[] = []
        for (const id of some) {
          const share = await registrations.erase(tx, accountId, id, key)
          for (const ticket of share.tickets) {
            await accessLog.eraseReasons(tx, accountId, ticket)
            await scanLog.eraseNotes(tx, accountId, ticket)
          }
          written.push(share)
        }
        return written
      })
      for (const share of shares) add(done, share)
    }
  }
  for await (const ids of waitlist.findByPerson(db, accountId, key)) {
    await db.write(accountId, async tx => {
      for (const id of ids) await waitlist.erase(tx, accountId, id)
    })
    done.waitlist_entries += ids.length
  }
  for await (const ids of abstracts.findByPerson(db, accountId, key)) {
    await db.write(accountId, async tx => {
      for (const id of ids) await abstracts.erase(tx, accountId, id, key)
    })
    done.abstracts += ids.length
  }
  return { ...done, ...(await eraseCopies(db, accountId, key)) }
}

function nobody(): PersonFound {
  return { registrations: 0, tickets: 0, tickets_of_others: 0, waitlist_entries: 0, abstracts: 0 }
}

function add(found: PersonFound, { isBuyer, tickets, others }: registrations.Share): void {
  if (isBuyer) found.registrations++
  found.tickets += tickets.length
  found.tickets_of_others += others
}

function* chunks(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += A_WRITE) yield ids.slice(start, start + A_WRITE)
}

import { emailKey } from '#base/fields.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Database } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import * as registrations from '#product/guests/registrations/person.ts'
import * as abstracts from '#product/programme/abstracts/person.ts'
import { forgetGone } from '#product/programme/book/namesakes.ts'
import { removeFiles } from '#product/programme/files/removal.ts'
import * as reviewers from '#product/programme/reviews/person.ts'
import * as submitters from '#product/programme/submissions/person.ts'
import { type ErasedCopies, eraseCopies } from './copies.ts'

/** One write makes this many registrations anonymous. They are few, so that no check-in waits for it. */
const A_WRITE = 10

/** Says what an account has about a person, and what stays unchanged beside it. */
export interface PersonFound {
  /** Registrations that the person bought. Their answers and notes go with the buyer. */
  registrations: number
  /** The person's own tickets. */
  tickets: number
  /** Tickets of others in the same registrations, which stay. */
  tickets_of_others: number
  waitlist_entries: number
  abstracts: number
  /** Events that the person has begun abstracts for. */
  submitters: number
  /** Drafts of abstracts, sent before or not. */
  drafts: number
  /** Files of abstracts that the person has sent. */
  files: number
  /** Events whose abstracts the person reviews. */
  reviewers: number
}

export type Erased = PersonFound & ErasedCopies

/**
 * Finds what `erasePerson` would make anonymous, in short reads. It does not count copies such as those in webhooks, because
 * their number is known only after going through all of them.
 */
export async function findPerson(reader: Reader, accountId: string, email: string): Promise<PersonFound> {
  const key = emailKey(email)
  const found = nobody()
  for await (const ids of registrations.findByPerson(reader, accountId, email)) {
    for (const some of chunks(ids)) {
      await reader.read(accountId, async tx => {
        for (const id of some) add(found, await registrations.readShare(tx, id, key))
      })
    }
  }
  for await (const ids of waitlist.findByPerson(reader, accountId, key)) found.waitlist_entries += ids.length
  for await (const ids of abstracts.findByPerson(reader, accountId, key)) found.abstracts += ids.length
  for await (const ids of submitters.findByPerson(reader, accountId, key)) {
    for (const id of ids)
      addSubmitted(found, await reader.read(accountId, tx => submitters.readShare(tx, id)))
  }
  for await (const ids of reviewers.findByPerson(reader, accountId, key)) found.reviewers += ids.length
  return found
}

/**
 * Makes a person anonymous in everything that an account has, in short writes. It erases the names and e-mails of the buyer,
 * attendee, waitlist entry, author, contact, submitter and reviewer, with the answers and the note of what the person bought and drafts and files
 * of abstracts, and then the copies.
 * Money, counts, states, seats and ticket codes stay, and so do all other people. It may be stopped and started again at any
 * time. It does not cover what arrives meanwhile.
 *
 * @param actor whose account it is; the access log gets one entry, which does not name the person
 */
export async function erasePerson(
  db: Pick<Database, 'read' | 'write'>,
  actor: accessLog.Actor,
  email: string,
): Promise<Erased> {
  const { accountId } = actor
  const key = emailKey(email)
  const found = await findPerson(db, accountId, email)
  // The entry comes first, so that an erasure that is cut off has one too.
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
          const share = await registrations.erase(tx, id, key)
          for (const ticket of share.tickets) {
            await accessLog.eraseReasons(tx, ticket)
            await scanLog.eraseNotes(tx, ticket)
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
      for (const id of ids) await waitlist.erase(tx, id)
    })
    done.waitlist_entries += ids.length
  }
  for await (const ids of abstracts.findByPerson(db, accountId, key)) {
    // Each version of an abstract is written anew, so one at a time.
    for (const id of ids) await db.write(accountId, tx => abstracts.erase(tx, id, key))
    done.abstracts += ids.length
  }
  await eraseSubmitters(db, accountId, key, done)
  for await (const ids of reviewers.findByPerson(db, accountId, key)) {
    await db.write(accountId, async tx => {
      for (const id of ids) await reviewers.erase(tx, id)
    })
    done.reviewers += ids.length
  }
  await forgetGone(db, accountId)
  return { ...done, ...(await eraseCopies(db, accountId, key)) }
}

async function eraseSubmitters(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  key: string,
  done: PersonFound,
): Promise<void> {
  for await (const ids of submitters.findByPerson(db, accountId, key)) {
    for (const id of ids) {
      const { share, files } = await db.write(accountId, async tx => ({
        share: await submitters.readShare(tx, id),
        files: await submitters.erase(tx, id),
      }))
      await removeFiles(db, accountId, files)
      addSubmitted(done, share)
    }
  }
}

function nobody(): PersonFound {
  return {
    ...{ registrations: 0, tickets: 0, tickets_of_others: 0, waitlist_entries: 0 },
    ...{ abstracts: 0, submitters: 0, drafts: 0, files: 0, reviewers: 0 },
  }
}

function addSubmitted(found: PersonFound, { drafts, files }: submitters.Share): void {
  found.submitters++
  found.drafts += drafts
  found.files += files
}

function add(found: PersonFound, { isBuyer, tickets, others }: registrations.Share): void {
  if (isBuyer) found.registrations++
  found.tickets += tickets.length
  found.tickets_of_others += others
}

function* chunks(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += A_WRITE) yield ids.slice(start, start + A_WRITE)
}

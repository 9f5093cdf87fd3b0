import type { ReadTx, WriteTx } from '../db/port.ts'
import * as emails from '../emails/rules.ts'
import * as checkout from '../registrations/checkout.ts'
import * as person from '../registrations/person.ts'
import { ERASED_EMAIL, ERASED_NAME } from '../words.ts'
import * as listStore from './list-store.ts'
import { fail } from './rules.ts'
import * as store from './store.ts'

const NOBODY = { name: ERASED_NAME, email: ERASED_EMAIL }

/**
 * Makes the buyer of orders anonymous, and ends the links to them. What is offered to them goes to others: they can take it no more.
 *
 * @param key as e-mails are compared
 * @returns how many
 */
export async function erase(tx: WriteTx, accountId: string, key: string): Promise<number> {
  for (const { id } of await listStore.listOffered(tx, accountId, key))
    await fail(tx, accountId, id, 'turned_down')
  return store.eraseBuyer(tx, accountId, ['buyer_email_key', key], NOBODY, await tx.now())
}

/** Whether there are orders that came to nothing before this instant, and still name somebody. */
export async function hasAbandoned(tx: ReadTx, accountId: string, before: number): Promise<boolean> {
  return (await listStore.listAbandoned(tx, accountId, before, 1)).length > 0
}

/**
 * Makes all people of orders that came to nothing before this instant anonymous, with the answers and the mails, the longest ago
 * first.
 *
 * @param most orders @returns how many
 */
export async function eraseAbandoned(
  tx: WriteTx,
  accountId: string,
  before: number,
  most: number,
): Promise<number> {
  const abandoned = await listStore.listAbandoned(tx, accountId, before, most)
  for (const { id } of abandoned) {
    for (const registration of await checkout.listByOrder(tx, accountId, id)) {
      await person.eraseAll(tx, accountId, registration.id)
    }
    await emails.removeOfSubject(tx, accountId, id)
    await store.eraseBuyer(tx, accountId, ['id', id], NOBODY, await tx.now())
  }
  return abandoned.length
}

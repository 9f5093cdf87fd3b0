import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import * as person from '#product/guests/registrations/person.ts'
import * as listStore from './list-store.ts'
import { fail } from './rules.ts'
import * as store from './store.ts'

const NOBODY = { name: ERASED_NAME, email: ERASED_EMAIL }

/**
 * Makes the buyer of orders anonymous, and ends the links to them. Offers to the buyer fail, so that their places go to others.
 *
 * @param key as e-mails are compared
 * @returns how many orders changed
 */
export async function erase(tx: WriteTx, key: string): Promise<number> {
  for (const { id } of await listStore.listOffered(tx, key)) await fail(tx, id, 'turned_down')
  return store.eraseBuyer(tx, ['buyer_email_key', key], NOBODY, await tx.now())
}

/** Tells whether any order from before this instant still names the networks it came from. */
export async function hasNetworks(tx: ReadTx, before: number): Promise<boolean> {
  return (await listStore.listPlaced(tx, before, 1)).length > 0
}

/**
 * Deletes the networks of orders from before this instant.
 *
 * @param most how many orders it takes at most
 * @returns how many it took
 */
export async function forgetNetworks(tx: WriteTx, before: number, most: number): Promise<number> {
  const placed = await listStore.listPlaced(tx, before, most)
  for (const { id } of placed) await store.forgetNetworks(tx, id, await tx.now())
  return placed.length
}

/** Tells whether any order that failed before this instant still names somebody. */
export async function hasAbandoned(tx: ReadTx, before: number): Promise<boolean> {
  return (await listStore.listAbandoned(tx, before, 1)).length > 0
}

/**
 * Makes all people of orders that failed before this instant anonymous, and deletes their answers and mails. It starts with the
 * order that failed first.
 *
 * @param most how many orders it takes at most
 * @returns how many it took
 */
export async function eraseAbandoned(tx: WriteTx, before: number, most: number): Promise<number> {
  const abandoned = await listStore.listAbandoned(tx, before, most)
  for (const { id } of abandoned) {
    for (const registration of await checkout.listByOrder(tx, id)) {
      await person.eraseAll(tx, registration.id)
    }
    await eraseBuyerOf(tx, id)
  }
  return abandoned.length
}

/** Makes the buyer of an order anonymous, ends the links to it, and removes the mails about it. */
export async function eraseBuyerOf(tx: WriteTx, id: string): Promise<void> {
  await emails.removeOfSubject(tx, id)
  await store.eraseBuyer(tx, ['id', id], NOBODY, await tx.now())
}

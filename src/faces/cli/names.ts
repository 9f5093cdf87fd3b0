import type { Option } from 'commander'
import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { email, emailKey, slug, uuid } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { flag, readFlag } from './flags.ts'

/** A person names an account or an event by the name that they know, or by its id. */

/** The name of an account is an id, or an e-mail in the form by which accounts are compared. */
const accountName = nameOf([uuid, v.pipe(email, v.transform(emailKey))], says('emailOrId'))
const eventName = nameOf([uuid, slug], says('slugOrId'))

function nameOf(kinds: readonly v.GenericSchema<unknown, string>[], message: string) {
  return v.pipe(
    v.string(message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      for (const kind of kinds) {
        const found = v.safeParse(kind, dataset.value)
        if (found.success) return found.output
      }
      addIssue({ message })
      return NEVER
    }),
  )
}

/** @param what says what the command does with the account */
export function accountFlag(what: string): Option {
  return flag('--account <account>', `${what}: its e-mail or id; without it the one that there is`)
}

/**
 * Reads `--account` without a database, which only the search for the account needs.
 *
 * @returns undefined if it is left out
 * @throws Problem invalid_parameter
 */
export function readAccountName(value: string | undefined): string | undefined {
  return value === undefined ? undefined : readFlag('--account', accountName, value)
}

/** Reads `--event` without a database, which only the search for the event needs. @throws Problem invalid_parameter */
export function readEventName(value: string): string {
  return readFlag('--event', eventName, value)
}

/** @throws Problem invalid_parameter for a reference too, because a reference names an order only within its event */
export function readOrderId(value: string): string {
  const result = v.safeParse(uuid, value)
  if (result.success) return result.output
  const message = `The id must be a UUID: "turnout order list --event … --search REFERENCE" has that of an order.`
  throw new Problem('invalid_parameter', { message })
}

/**
 * Returns the id of the named account. Without a name, it is the only account.
 *
 * @throws Problem not_found; invalid_parameter if there is no name and several accounts exist
 */
export async function findAccount(tx: InstanceReadTx, name: string | undefined): Promise<string> {
  const all = await accounts.list(tx)
  if (name !== undefined) {
    const named = all.find(account => account.id === name || emailKey(account.email) === name)
    if (named === undefined) throw new Problem('not_found', { message: `There is no account ${name}.` })
    return named.id
  }
  const [only, ...others] = all
  if (only === undefined) {
    throw new Problem('not_found', {
      message: 'There is no account yet. Make one with "turnout account create" or "turnout apply".',
    })
  }
  if (others.length > 0) {
    throw new Problem('invalid_parameter', {
      message: `There are ${all.length} accounts. Add --account with the e-mail or the id of one; "turnout account list" shows them.`,
    })
  }
  return only.id
}

/**
 * Returns the named event and its account. Without an account, it looks for a slug in all of them.
 *
 * @throws Problem not_found; invalid_parameter for a slug that several accounts have
 */
export async function findEvent(
  tx: InstanceReadTx,
  name: string,
  account: string | undefined,
): Promise<{ accountId: string; id: string }> {
  const among =
    account === undefined ? (await accounts.list(tx)).map(({ id }) => id) : [await findAccount(tx, account)]
  // A slug may look like an id, so the id comes first.
  for (const look of [events.findId, events.findIdBySlug]) {
    const found: { accountId: string; id: string }[] = []
    for (const accountId of among) {
      const id = await look(tx.of(accountId), name)
      if (id !== undefined) found.push({ accountId, id })
    }
    const [only, ...others] = found
    if (others.length > 0) {
      throw new Problem('invalid_parameter', {
        message: `There is an event ${name} in ${found.length} accounts. Add --account with the e-mail or the id of one.`,
      })
    }
    if (only !== undefined) return only
  }
  const where = account === undefined ? '' : ' in this account'
  throw new Problem('not_found', { message: `There is no event ${name}${where}.` })
}

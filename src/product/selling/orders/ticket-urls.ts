import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import type { Server } from '#machinery/mail/kind.ts'
import type { LinkTarget } from '#machinery/web/link-secret.ts'
import * as linkStore from './link-store.ts'
import { ticketUrl } from './links.ts'
import * as orders from './rules.ts'

/**
 * Returns the addresses of the pages of a registration's tickets. Every ticket has one, whether it was ordered, imported or made
 * by a program.
 *
 * @returns what makes the address of a ticket from its id; undefined if there is no such registration
 */
export async function readTicketUrls(
  tx: ReadTx,
  registrationId: string,
  server: Server,
): Promise<((ticketId: string) => string) | undefined> {
  const version = (await orders.readVersions(tx, [registrationId])).get(registrationId)
  return version === undefined ? undefined : id => ticketUrl(server, { secret_version: version }, id)
}

/** Names a ticket that a link leads to. */
export interface LinkedTicket {
  accountId: string
  registrationId: string
  ticketId: string
}

/** Finds the ticket that a link leads to. @returns undefined if there is none, or the links were renewed since */
export async function findLinkedTicket(
  tx: InstanceReadTx,
  { id, version }: LinkTarget,
): Promise<LinkedTicket | undefined> {
  const row = await linkStore.findLinked(tx, id)
  if (row?.version !== version) return undefined
  return { accountId: row.account_id, registrationId: row.registration_id, ticketId: id }
}

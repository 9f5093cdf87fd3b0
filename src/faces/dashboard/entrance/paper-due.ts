import type { Reader } from '#machinery/db/batches.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { DoorTicket } from '#product/entrance/check-ins/tickets.ts'
import { readDueAtDoor } from '#product/selling/payments/door.ts'

/** A ticket of a printed list, with what the list says of its state. */
export interface PrintedTicket {
  ticket: DoorTicket
  /** Undefined for a ticket that admits somebody. */
  state: string | undefined
}

/** Says the state of each of these tickets, with what its order is to pay at the door. */
export async function tellStates(
  reader: Reader,
  accountId: string,
  tickets: readonly DoorTicket[],
  { texts, format }: Voice,
): Promise<PrintedTicket[]> {
  const pending = tickets.filter(({ registration_status: status }) => status === 'pending')
  const due = await readDueAtDoor(reader, accountId, pending)
  return tickets.map(ticket => {
    const { registration_status: status, registration_id: id } = ticket
    if (status === 'confirmed') return { ticket, state: undefined }
    const toPay = due.get(id)
    const state =
      toPay === undefined
        ? texts.checkIn.states[status]
        : texts.payments.door.dueOf(format.money(toPay.amount, toPay.currency), toPay.reference)
    return { ticket, state }
  })
}

import { findAnswer, keepAnswer } from '#faces/api/idempotency.ts'
import type { InstanceWriteTx, WriteTx } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/store.ts'
import * as keys from '#product/administration/keys/store.ts'
import { listEnabled } from '#product/administration/webhooks/endpoint-store.ts'
import { insertEvent } from '#product/administration/webhooks/store.ts'
import * as events from '#product/catalog/events/store.ts'
import * as types from '#product/catalog/registration-types/store.ts'
import * as checkIns from '#product/entrance/check-ins/store.ts'
import * as ticketKeys from '#product/guests/attendees/key-store.ts'
import * as attendees from '#product/guests/attendees/store.ts'
import * as registrations from '#product/guests/registrations/store.ts'
import { insertWords } from '#product/guests/registrations/word-store.ts'

/** Returns the last SQL text that a store runs on its transaction. */
async function sqlOf(use: (tx: WriteTx & InstanceWriteTx) => Promise<unknown>): Promise<string> {
  let text = ''
  const note = (sql: string) => {
    text = sql
    return Promise.resolve(undefined as never)
  }
  const now = () => Promise.resolve(0)
  const tx: WriteTx & InstanceWriteTx = {
    accountId: '',
    of: () => tx,
    one: note,
    all: async sql => {
      await note(sql)
      return []
    },
    run: note,
    now,
    clock: () => 0,
    insertStaged: now,
    attempt: work => work(),
    batchTime: 0,
    giveTurn: async () => undefined,
    alone: async () => undefined,
  }
  await use(tx)
  return text
}

const REQUEST = { accountId: '', key: '', fingerprint: '' }

/** The buyers of the bench have as many words. */
const BUYER_WORDS = ['guest', 'number']

/** Returns a row whose values nobody looks at. */
function anyRow<Row>(): Row {
  return {} as Row
}

/** The statements of the floors are those of the program: its stores are asked for them, so that no copy falls behind. */
export async function readStatements() {
  return {
    findKey: await sqlOf(tx => keys.findByHash(tx, '')),
    findAnswer: await sqlOf(tx => findAnswer(tx, REQUEST)),
    keepAnswer: await sqlOf(tx => keepAnswer(tx, REQUEST, { status: 0, body: '' })),
    takeInstant: `UPDATE instance SET latest_write_at = CASE WHEN latest_write_at < $1 THEN $1 ELSE latest_write_at END
    WHERE id = 1 RETURNING latest_write_at`,
    findEvent: await sqlOf(tx => events.find(tx, '')),
    findType: await sqlOf(tx => types.find(tx, '', '')),
    reserve: await sqlOf(tx => types.reserve(tx, '', 0, 0)),
    insertRegistration: await sqlOf(tx => registrations.insert(tx, anyRow(), 0)),
    insertWords: await sqlOf(tx => insertWords(tx, anyRow(), new Set(BUYER_WORDS), 0, 0)),
    findTicketKey: await sqlOf(tx => ticketKeys.findKeyOfEvent(tx, '')),
    insertTicket: await sqlOf(tx => attendees.insert(tx, anyRow(), 0)),
    insertEvent: await sqlOf(tx => insertEvent(tx, anyRow())),
    listEndpoints: await sqlOf(tx => listEnabled(tx)),
    insertAccess: await sqlOf(tx => accessLog.insert(tx, anyRow())),
    findPublicKey: await sqlOf(tx => ticketKeys.findPublicKey(tx, '')),
    findTicket: await sqlOf(tx => checkIns.findTicket(tx, '')),
    insertCheckIn: await sqlOf(tx => checkIns.insert(tx, anyRow())),
    findRegistration: await sqlOf(tx => registrations.find(tx, '')),
    listTickets: await sqlOf(tx => attendees.listByRegistrations(tx, [''])),
  }
}

export type Statements = Awaited<ReturnType<typeof readStatements>>

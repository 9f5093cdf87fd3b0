import * as accessLog from '../../src/access-log/store.ts'
import { findAnswer, keepAnswer } from '../../src/api/idempotency.ts'
import * as ticketKeys from '../../src/attendees/key-store.ts'
import * as attendees from '../../src/attendees/store.ts'
import * as checkIns from '../../src/checkins/store.ts'
import type { WriteTx } from '../../src/db/port.ts'
import * as events from '../../src/events/store.ts'
import * as keys from '../../src/keys/store.ts'
import * as types from '../../src/registration-types/store.ts'
import * as registrations from '../../src/registrations/store.ts'
import { insertWords } from '../../src/registrations/word-store.ts'
import { listEnabled } from '../../src/webhooks/endpoint-store.ts'
import { insertEvent } from '../../src/webhooks/store.ts'

/** The last SQL text of what a store does with its transaction. */
async function sqlOf(use: (tx: WriteTx) => Promise<unknown>): Promise<string> {
  let text = ''
  const note = (sql: string) => {
    text = sql
    return Promise.resolve(undefined as never)
  }
  const now = () => Promise.resolve(0)
  await use({
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
  })
  return text
}

const REQUEST = { accountId: '', key: '', fingerprint: '' }

/** As many as the buyers of the bench have. */
const BUYER_WORDS = ['guest', 'number']

/** A row whose values nobody looks at. */
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
    findEvent: await sqlOf(tx => events.find(tx, '', '')),
    findType: await sqlOf(tx => types.find(tx, '', '', '')),
    reserve: await sqlOf(tx => types.reserve(tx, '', '', 0, 0)),
    insertRegistration: await sqlOf(tx => registrations.insert(tx, '', anyRow(), 0)),
    insertWords: await sqlOf(tx => insertWords(tx, anyRow(), new Set(BUYER_WORDS), 0, 0)),
    findTicketKey: await sqlOf(tx => ticketKeys.findKeyOfEvent(tx, '', '')),
    insertTicket: await sqlOf(tx => attendees.insert(tx, anyRow(), 0)),
    insertEvent: await sqlOf(tx => insertEvent(tx, anyRow())),
    listEndpoints: await sqlOf(tx => listEnabled(tx, '')),
    insertAccess: await sqlOf(tx => accessLog.insert(tx, anyRow())),
    findPublicKey: await sqlOf(tx => ticketKeys.findPublicKey(tx, '')),
    findTicket: await sqlOf(tx => checkIns.findTicket(tx, '', '')),
    insertCheckIn: await sqlOf(tx => checkIns.insert(tx, '', anyRow())),
    findRegistration: await sqlOf(tx => registrations.find(tx, '', '')),
    listTickets: await sqlOf(tx => attendees.listByRegistrations(tx, '', [''])),
  }
}

export type Statements = Awaited<ReturnType<typeof readStatements>>

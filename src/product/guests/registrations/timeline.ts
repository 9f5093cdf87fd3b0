import * as accessLog from '../access-log/rules.ts'
import type { AccessLogEntry } from '../access-log/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import { type Details, getDetails } from './details.ts'

/** What has happened to a registration; `at` is an instant in ISO 8601, and `actor` null where nobody knows who did it. */
export type TimelineItem = { at: string; actor: string | null } & (
  | { kind: 'created' | 'confirmed' | 'cancelled' | 'refunded' | 'erased' }
  | { kind: 'checked_in'; attendee_id: string; source: 'scanner' | 'api' }
  /** An entry of the access log; `fields` are those that were changed, `code` is that of a refusal. */
  | {
      kind: 'entry'
      action: string
      target_id: string | null
      fields: string[]
      code: string | null
      reason: string | null
    }
)

const MOST_ITEMS = 200

/**
 * What has happened to a registration and its tickets, newest first, at most 200. Webhooks about it are not among it: nothing
 * leads from a registration to them.
 *
 * @throws Problem not_found
 */
export async function timeline(tx: ReadTx, accountId: string, id: string): Promise<TimelineItem[]> {
  const registration = await getDetails(tx, accountId, id)
  const targets = [id, ...registration.attendees.map(ticket => ticket.id)]
  const entries = await accessLog.listAbout(tx, accountId, targets, MOST_ITEMS)
  const items = [
    ...(await ownItems(tx, accountId, registration, entries)),
    ...entries.filter(entry => !isCancel(entry)).map(toItem),
  ]
  return items.sort((one, other) => compare(other.at, one.at)).slice(0, MOST_ITEMS)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Of a cancellation that succeeded the registration itself tells. */
function isCancel({ action, details }: AccessLogEntry): boolean {
  return action === 'registration.cancel' && details.code === undefined
}

async function ownItems(
  tx: ReadTx,
  accountId: string,
  registration: Details,
  entries: readonly AccessLogEntry[],
): Promise<TimelineItem[]> {
  const items: TimelineItem[] = []
  for (const { attendee_id, source, checked_in_at: at } of registration.check_ins) {
    const actor = await accessLog.findActor(tx, accountId, {
      action: 'check_in.create',
      targetId: attendee_id,
      at: Date.parse(at),
    })
    items.push({ at, actor, kind: 'checked_in', attendee_id, source })
  }
  const add = (
    kind: 'confirmed' | 'cancelled' | 'refunded' | 'erased',
    at: string | null,
    actor: string | null,
  ) => {
    if (at !== null) items.push({ at, actor, kind })
  }
  const { created_at, confirmed_at, cancelled_at, refunded_at, erased_at } = registration
  add('erased', erased_at, null)
  add('refunded', refunded_at, null)
  add('cancelled', cancelled_at, entries.find(isCancel)?.actor ?? null)
  add('confirmed', confirmed_at, null)
  if (created_at !== null) {
    const actor = await accessLog.findActor(tx, accountId, {
      action: 'registration.create',
      targetId: registration.id,
      at: Date.parse(created_at),
    })
    items.push({ at: created_at, actor, kind: 'created' })
  }
  return items
}

function toItem({ at, actor, action, target_id, details }: AccessLogEntry): TimelineItem {
  const { fields, code, reason } = details as { fields?: string[]; code?: string; reason?: string }
  return {
    at,
    actor,
    kind: 'entry',
    action,
    target_id,
    fields: fields ?? [],
    code: code ?? null,
    reason: reason ?? null,
  }
}

import type { ReadTx } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { AccessLogEntry } from '#product/administration/access-log/schemas.ts'
import { type Details, getDetails } from './details.ts'

/**
 * Describes something that has happened to a registration. `at` is an instant in ISO 8601, and `actor` is null if nobody knows
 * who did it.
 */
export type TimelineItem = { at: string; actor: string | null } & (
  | { kind: 'created' | 'confirmed' | 'cancelled' | 'refunded' | 'erased' }
  | { kind: 'checked_in'; attendee_id: string; source: 'scanner' | 'api' }
  /** An entry of the access log. `fields` are those that were changed, and `code` is that of a refusal. */
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
 * Returns what has happened to a registration and its tickets, newest first, at most 200 items. It leaves out webhooks, because
 * nothing leads from a registration to them.
 *
 * @throws Problem not_found
 */
export async function timeline(tx: ReadTx, id: string): Promise<TimelineItem[]> {
  const registration = await getDetails(tx, id)
  const targets = [id, ...registration.attendees.map(ticket => ticket.id)]
  const entries = await accessLog.listAbout(tx, targets, MOST_ITEMS)
  const items = [
    ...(await ownItems(tx, registration, entries)),
    ...entries.filter(entry => !isCancel(entry)).map(toItem),
  ]
  return items.sort((one, other) => compare(other.at, one.at)).slice(0, MOST_ITEMS)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Recognizes a cancellation that succeeded. The registration itself shows it. */
function isCancel({ action, details }: AccessLogEntry): boolean {
  return action === 'registration.cancel' && details.code === undefined
}

async function ownItems(
  tx: ReadTx,
  registration: Details,
  entries: readonly AccessLogEntry[],
): Promise<TimelineItem[]> {
  const items: TimelineItem[] = []
  for (const { attendee_id, source, checked_in_at: at } of registration.check_ins) {
    const actor = await accessLog.findActor(tx, {
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
    const actor = await accessLog.findActor(tx, {
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

import type { Filters } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { registrationStatuses } from './states.ts'

export type RegistrationStatus = (typeof registrationStatuses)[number]

/** Lists the filters that have an index. The list of a buyer cannot be narrowed further. */
export type RegistrationFilters =
  | { event_id?: string | undefined; status?: RegistrationStatus | undefined; buyer_email_key?: undefined }
  | { buyer_email_key: string; event_id?: undefined; status?: undefined }

/** Most are confirmed, so an index of these alone would save a list little and cost each import two. */
const IS_CONFIRMED = "CASE WHEN r.status = 'confirmed' THEN 1 ELSE 0 END = 1"

/** A planner uses an index of the others only where its own condition stands. */
const IS_UNCONFIRMED = "r.status <> 'confirmed'"

/** Returns what a list by these filters compares of registrations `r`, for `keysetPage`. */
export function conditionsOf(
  tx: ReadTx,
  { status, ...filters }: RegistrationFilters,
): { columns: Filters; condition: string | undefined } {
  const columns = { account_id: tx.accountId, ...filters }
  if (status === undefined) return { columns, condition: undefined }
  if (status === 'confirmed') return { columns, condition: IS_CONFIRMED }
  return { columns: { ...columns, status }, condition: IS_UNCONFIRMED }
}

import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'

/**
 * Sums the sales of a day in the time zone of the event. They are the registrations that were confirmed then, whatever became of
 * them. Extras count only in the amounts.
 */
export interface DayOfSales {
  /** `YYYY-MM-DD` */
  day: string
  registrations: number
  tickets: number
  /** The amounts that were charged, in minor units by currency. */
  amounts: Record<string, number>
}

/** Holds the result of counting an event by going through it. */
export interface Counted {
  /** Without those of extras. */
  registrations: Record<RegistrationStatus, number>
  /**
   * The tickets as they were bought, by the id of the type. It leaves out a state without tickets. The valid ones are `sold` of
   * the type.
   */
  tickets: Record<string, Partial<Record<RegistrationStatus, number>>>
  check_ins: number
  check_ins_by_type: Record<string, number>
  /** The hours with check-ins of the last day that has any, each by its first instant in ISO 8601. */
  check_ins_by_hour: { hour: string; check_ins: number }[]
  /** Oldest first. Days without sales are left out. */
  sales: DayOfSales[]
}

export interface Figures {
  event_id: string
  timezone: string
  /** Always exact, in the order of the API. */
  types: { id: string; name: string; capacity: number; sold: number }[]
  /** Whether `counted` is of this moment, as it is for all but large events. */
  is_exact: boolean
  /** The instant of `counted`, in ISO 8601. It is null if the count is exact, and before a large event was counted. */
  counted_at: string | null
  /** Null before a large event was counted for the first time, for some minutes at most. */
  counted: Counted | null
}

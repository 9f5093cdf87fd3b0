import type { RegistrationStatus } from '../registrations/rules.ts'

/** What was sold on a day, in the time zone of the event: registrations that were confirmed then, whatever became of them. */
export interface DayOfSales {
  /** `YYYY-MM-DD` */
  day: string
  registrations: number
  tickets: number
  /** What was charged, in minor units by currency. */
  amounts: Record<string, number>
}

/** What is counted by going through an event. */
export interface Counted {
  registrations: Record<RegistrationStatus, number>
  /** As they were bought, by the id of the type; a state without tickets is left out. Those that are valid are `sold` of the type. */
  tickets: Record<string, Partial<Record<RegistrationStatus, number>>>
  check_ins: number
  check_ins_by_type: Record<string, number>
  /** Of the last day on which anybody was checked in, each hour that has any: its first instant in ISO 8601. */
  check_ins_by_hour: { hour: string; check_ins: number }[]
  /** Oldest first; days without sales are left out. */
  sales: DayOfSales[]
}

export interface Figures {
  event_id: string
  timezone: string
  /** Always exact, in the order of the API. */
  types: { id: string; name: string; capacity: number; sold: number }[]
  /** Whether `counted` is of this moment: it is for all but large events. */
  is_exact: boolean
  /** The instant that `counted` is of, in ISO 8601; null where it is exact, and before a large event was counted. */
  counted_at: string | null
  /** Null before a large event was counted for the first time, some minutes at most. */
  counted: Counted | null
}

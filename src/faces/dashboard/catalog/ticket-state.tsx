import { Pill, Time } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'

interface Ticket {
  voided: boolean
  /** ISO 8601. */
  checked_in_at: string | null
}

/** Shows whether a ticket admits, or an extra is handed out, whether it has or was, and whether it is void. */
export function TicketState({
  ticket: { voided, checked_in_at },
  isExtra = false,
  voice: { texts, format },
}: {
  ticket: Ticket
  isExtra?: boolean
  voice: Voice
}) {
  const { guests } = texts
  const [valid, used] = isExtra ? [guests.notHandedOut, guests.handedOut] : [guests.valid, guests.checkedIn]
  return (
    <>
      {checked_in_at === null && !voided && <Pill tone={undefined}>{valid}</Pill>}
      {checked_in_at !== null && <Pill tone="good">{used}</Pill>}{' '}
      {voided && <Pill tone="off">{guests.void}</Pill>}
      {checked_in_at !== null && (
        <div class="small quiet">
          <Time at={checked_in_at} format={format} short />
        </div>
      )}
    </>
  )
}

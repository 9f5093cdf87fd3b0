import { Pill, Time } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'

interface Ticket {
  voided: boolean
  /** ISO 8601. */
  checked_in_at: string | null
}

/** Shows whether a ticket admits, has admitted or is void. */
export function TicketState({
  ticket: { voided, checked_in_at },
  voice: { texts, format },
}: {
  ticket: Ticket
  voice: Voice
}) {
  return (
    <>
      {checked_in_at === null && !voided && <Pill tone={undefined}>{texts.guests.valid}</Pill>}
      {checked_in_at !== null && <Pill tone="good">{texts.guests.checkedIn}</Pill>}{' '}
      {voided && <Pill tone="off">{texts.guests.void}</Pill>}
      {checked_in_at !== null && (
        <div class="small quiet">
          <Time at={checked_in_at} format={format} short />
        </div>
      )}
    </>
  )
}

import { QrCode } from '#machinery/web/components/qr-code.tsx'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { isOff } from './event-off.tsx'
import type { OrderProps } from './order-props.ts'
import { isValid } from './ticket-card.tsx'

type Props = Pick<OrderProps, 'event' | 'voice'> & { line: Registration }

/** Shows an extra of an order, with a code for each that is still to be handed out. */
export function ExtraCard(props: Props) {
  const { line, event, voice } = props
  const { checkout } = voice.texts
  const name = line.registration_type_name ?? ''
  const standing = line.attendees.filter(({ voided }) => !voided)
  const good = standing.filter(ticket => isValid({ event, line, ticket }) && ticket.checked_in_at === null)
  return (
    <section class="card stack" aria-labelledby={`x-${line.id}`}>
      <h2 id={`x-${line.id}`} dir="auto">
        {checkout.line(standing.length === 0 ? line.attendees.length : standing.length, name)}
      </h2>
      {statesOf(props).map(state => (
        <p key={state} class="small quiet">
          {state}
        </p>
      ))}
      {good.length > 0 && (
        <div class="codes">
          {good.map((unit, at) => (
            <QrCode
              key={unit.id}
              level="Q"
              text={unit.qr_code}
              label={checkout.extraCode(checkout.extra(name, at + 1, good.length))}
              isKept
            />
          ))}
        </div>
      )}
    </section>
  )
}

function statesOf({ line, event, voice: { texts, format } }: Props): string[] {
  const { checkout } = texts
  const standing = line.attendees.filter(({ voided }) => !voided)
  if (standing.length === 0) return [checkout.extraVoid]
  if (isOff(event)) return [checkout.off.extra]
  if (line.status === 'pending') return [checkout.extraNotYet]
  const handed = standing.flatMap(({ checked_in_at: at }) => (at === null ? [] : [at]))
  return [
    ...handed.map(at => checkout.extraHanded(format.dateTime(at))),
    ...(handed.length < standing.length ? [checkout.extraShow] : []),
  ]
}

import { Banner } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { TicketNotice, TicketView } from '../ticket-view.ts'
import { inSpeech, type Speech } from '../voice.ts'
import { isOff } from './event-off.tsx'
import { EventFacts, Frame } from './order-page.tsx'
import { isValid, TicketCard } from './ticket-card.tsx'

type TicketProps = TicketView & { speech: Speech; voice: Voice }

/** Shows one holder's ticket, without the other tickets and the money. */
export function TicketDocument({ notice, ...props }: TicketProps & { notice?: TicketNotice | undefined }) {
  const { event, line, ticket, mayRename, mayGiveOn, path, speech, voice } = props
  const { checkout, exchanges, storefront } = voice.texts
  const title = checkout.ticketTitle(event.title)
  const isGood = isValid(props)
  const at = line.attendees.findIndex(({ id }) => id === ticket.id)
  const to = (what: string) => inSpeech(speech, `${path}/${what}`)
  return (
    <Frame {...props} title={title} here={path}>
      {notice !== undefined && (
        <Banner tone="good">
          <p role="status">{notice === 'saved' ? checkout.saved : exchanges[notice]}</p>
        </Banner>
      )}
      <header class="standing">
        <h1 dir="auto">{title}</h1>
        {isOff(event) && <p class="headline">{checkout.off.title}</p>}
        {isGood && (
          <div class="row no-print">
            <a class="button main" href={to('ticket.pdf')}>
              {checkout.ticketPdf}
            </a>
            {event.starts_at !== null && (
              <a class="button" href={to('calendar.ics')}>
                {storefront.calendar}
              </a>
            )}
          </div>
        )}
      </header>
      <TicketCard {...props} n={at + 1} />
      <EventFacts {...props} isHolder={isGood} />
      {(mayRename || mayGiveOn) && (
        <div class="end-bar no-print">
          {mayRename && (
            <a class="button" href={to('name')}>
              {checkout.rename}
            </a>
          )}
          {mayGiveOn && (
            <a class="button" href={to('give')}>
              {exchanges.giveOn}
            </a>
          )}
        </div>
      )}
    </Frame>
  )
}

/** Shows the form for the name on a ticket that was not ordered here. */
export function HolderNameDocument({ state, ...props }: TicketProps & { state: FormState }) {
  const { path, speech, voice, namesUntil, event } = props
  const { texts, format } = voice
  const { checkout } = texts
  const isOpenEnded = event.names_locked_at === null && event.starts_at === null
  return (
    <Frame {...props} title={checkout.renameTitle} here={`${path}/name`} isRefused={isRefused(state)}>
      <h1>{checkout.renameTitle}</h1>
      {!isOpenEnded && <p class="quiet">{checkout.namesHelp(format.dateTime(namesUntil))}</p>}
      <Form
        state={state}
        texts={texts}
        action={inSpeech(speech, `${path}/name`)}
        submit={checkout.save}
        leave={inSpeech(speech, path)}
        leaveText={checkout.toTicket}
      />
    </Frame>
  )
}

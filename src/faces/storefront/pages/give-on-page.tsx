import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { WhenLine } from '../dates.tsx'
import { inSpeech } from '../voice.ts'
import { Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'

interface GiveOnProps extends Pick<OrderProps, 'event' | 'speech' | 'voice' | 'namesUntil'> {
  organizer: Omit<OrderProps['organizer'], 'origins'>
  state: FormState
  /** The path of this page, and of the page that it leads back to. */
  here: string
  back: string
  backText: string
  /** The ticket, by its type and holder. */
  ticket: string
}

/** Asks who gets a ticket. */
export function GiveOnDocument({ state, here, back, backText, ticket, ...props }: GiveOnProps) {
  const { speech, voice, namesUntil, event } = props
  const { texts, format } = voice
  const { exchanges } = texts
  const isOpenEnded = event.names_locked_at === null && event.starts_at === null
  return (
    <Frame {...props} title={exchanges.giveOnTitle} here={here} isRefused={isRefused(state)}>
      <h1>{exchanges.giveOnTitle}</h1>
      <p>
        <bdi>{ticket}</bdi>
      </p>
      <p dir="auto">{event.title}</p>
      <WhenLine event={event} format={format} />
      <p class="quiet">
        {exchanges.giveOnAbout} {!isOpenEnded && exchanges.giveOnUntil(format.dateTime(namesUntil))}
      </p>
      <Form
        state={state}
        texts={texts}
        action={inSpeech(speech, here)}
        submit={exchanges.giveOnSubmit}
        leave={inSpeech(speech, back)}
        leaveText={backText}
      />
    </Frame>
  )
}

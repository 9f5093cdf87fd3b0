import { FORM_PREVIEW, type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import type { Texts } from '#texts/texts.ts'
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
  /** Who is to have it. Without them, the page asks. */
  holder: Holder | undefined
}

interface Holder {
  name: string
  email: string
}

/** The button that leads back to the form has this name. */
export const CHANGE = 'change'

/** Asks who gets a ticket, and then whether that is right. */
export function GiveOnDocument({ state, here, back, backText, ticket, holder, ...props }: GiveOnProps) {
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
      {holder === undefined ? (
        <>
          <p class="quiet">
            {exchanges.giveOnAbout} {!isOpenEnded && exchanges.giveOnUntil(format.dateTime(namesUntil))}
          </p>
          <Form
            state={state}
            texts={texts}
            action={inSpeech(speech, here)}
            submit={texts.checkout.next}
            leave={inSpeech(speech, back)}
            leaveText={backText}
          />
        </>
      ) : (
        <Sure holder={holder} action={inSpeech(speech, here)} texts={texts} />
      )}
    </Frame>
  )
}

function Sure({ holder, action, texts }: { holder: Holder; action: string; texts: Texts }) {
  const { exchanges, checkout } = texts
  return (
    <form method="post" action={action} class="card stack">
      <p>{exchanges.giveOnTo}</p>
      <p>
        <strong dir="auto">{holder.name}</strong>
        <br />
        <bdi>{holder.email}</bdi>
      </p>
      <p class="quiet">{exchanges.giveOnAbout}</p>
      {Object.entries(holder).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name={FORM_PREVIEW} value={holder.email} />
      <div class="end-bar">
        <button type="submit" class="button danger">
          {exchanges.giveOnSubmit}
        </button>
        <button type="submit" class="button" name={CHANGE} value="yes">
          {checkout.changeIt}
        </button>
      </div>
    </form>
  )
}

import type { Texts } from '#texts/texts.ts'
import { paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'

interface Followed {
  /** The slug of the organizer. */
  account: string
  /** The slug of a series, whose own dates are followed. */
  series?: string
  speech: Speech
}

/** Leads to the calendar to subscribe to, and to the feed. */
export function Subscribe({
  account,
  series,
  speech,
  texts,
}: Followed & { texts: Pick<Texts['storefront'], 'subscribe' | 'asCalendar' | 'asFeed'> }) {
  return (
    <p class="small quiet row subscribe">
      <span>{texts.subscribe}</span>
      <a href={paths.events(account, series)}>{texts.asCalendar}</a>
      <a href={inSpeech(speech, paths.feed(account, series))}>{texts.asFeed}</a>
    </p>
  )
}

/** Tells browsers of the feed, in the head of a page. */
export function FeedLink({ account, series, speech, title }: Followed & { title: string }) {
  const href = inSpeech(speech, paths.feed(account, series))
  return <link rel="alternate" type="application/atom+xml" title={title} href={href} />
}

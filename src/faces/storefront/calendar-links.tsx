import type { Voice } from '#machinery/web/voice.ts'
import { calendarLinksOf } from '#product/catalog/event-pages/calendar-links.ts'

interface CalendarLinksProps {
  event: Parameters<typeof calendarLinksOf>[0]
  /** The address of the event's page, if everybody may see it. */
  page: string | undefined
  voice: Voice
}

/** Leads to the forms of two calendars on the web, beside the file that every calendar takes. */
export function CalendarLinks({ event, page, voice }: CalendarLinksProps) {
  const links = calendarLinksOf(event, page)
  if (links === undefined) return null
  const { calendar } = voice.texts.storefront
  return (
    <>
      {(['google', 'outlook'] as const).map(name => (
        <a key={name} href={links[name]} rel="noopener noreferrer nofollow">
          <span class="hidden">{calendar}: </span>
          {NAMES[name]}
        </a>
      ))}
    </>
  )
}

const NAMES = { google: 'Google', outlook: 'Outlook' } as const

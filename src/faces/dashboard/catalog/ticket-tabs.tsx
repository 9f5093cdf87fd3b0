import { Tabs } from '../web/components/parts.tsx'
import type { OfEvent } from './asked.ts'
import { paths } from './paths.ts'

/** The three pages of what is sold. */
export function TicketTabs({ current, asked: { event, voice } }: { current: string; asked: OfEvent }) {
  const { texts } = voice
  const tabs = [
    [paths.tickets(event.id), texts.tickets.tab],
    [paths.codes(event.id), texts.codes.title],
    [paths.questions(event.id), texts.questions.title],
  ] as const
  return (
    <Tabs
      label={texts.tickets.title}
      tabs={tabs.map(([href, text]) => ({ href, text, isCurrent: href === current }))}
    />
  )
}

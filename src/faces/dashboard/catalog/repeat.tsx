import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Empty } from '#machinery/web/components/parts.tsx'
import { askedFields, faultsOfAsked, initialAsked, readAsked, toDates } from './asked-dates.ts'

/** Asks on which dates an event is repeated. Nothing is made before the next page has shown each of them. */
export const repeatEvent = ownForm('event', {
  path: '/e/{event}/repeat',
  belongsTo: '/e/{event}',
  permission: 'events.edit',
  isOfAllEvents: true,
  load: async () => undefined,
  fields: (_, { event: { timezone }, voice: { format } }) => askedFields(timezone, format),
  initial: (_, { event, query }) => ({
    ...initialAsked(event.starts_at ?? '1970-01-01T10:00:00Z', event.timezone),
    ...(query.has('every') ? readAsked(query) : {}),
  }),
  faultsOf: faultsOfAsked,
  parts: (_, { event, voice }) => {
    const { series: texts, page } = voice.texts
    return {
      ...{ title: texts.repeatTitle, about: texts.repeatAbout },
      ...{ submit: texts.next, leave: paths.event(event.id), leaveText: page.back, isRepeatable: true },
      instead:
        event.starts_at !== null ? undefined : (
          <Empty
            icon="calendar"
            title={texts.noStartTitle}
            action={
              <ButtonLink href={`${paths.eventSettings(event.id, 'general')}#starts_at`} main>
                {texts.setDate}
              </ButtonLink>
            }
          >
            {texts.noStart}
          </Empty>
        ),
      rows: [
        { legend: texts.onWeekdays, names: ['weekdays'] },
        { legend: texts.between, names: ['from', 'until'], side: true },
        ['every', 'times', 'pasted'],
      ],
    }
  },
  submit: async (_, __, { event }, { values }) => ({
    to: { path: toDates(paths.repeatDates(event.id), values) },
  }),
})

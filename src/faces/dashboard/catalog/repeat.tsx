import { goTo } from '#faces/dashboard/frame/destination.ts'
import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Empty } from '#machinery/web/components/parts.tsx'
import { askedFields, asking, faultsOfAsked, initialAsked, readAsked } from './asked-dates.ts'
import { showDates } from './repeat-dates.tsx'

const form = ownForm('event', {
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
  submit: async (services, context, request) => {
    await showDates(services, context, request)
    return undefined
  },
})

/** Shows the form with what was asked before. */
const askAgain: NonNullable<PageAt<'event'>['restore']> = async (services, context, request, asked) =>
  form.get?.(services, context, asking(request, asked))

/** Asks on which dates an event is repeated. It answers with each of them, and nothing is made before. */
export const repeatEvent: PageAt<'event'> = { ...form, restore: askAgain }

/** Leads from the dates back to what was asked. */
export const changeDates: PageAt<'event'> = {
  ...form,
  path: '/e/{event}/repeat/change',
  get: async (services, context, { event }) => goTo(services, context, { path: paths.repeatEvent(event.id) }),
  post: async (services, context, request) => askAgain(services, context, request, context.state.body),
  restore: askAgain,
}

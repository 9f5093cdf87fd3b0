import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choicesField, optionalTextField, textField } from '#machinery/web/forms/field.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { type AskedDate, judgeDates } from '#product/catalog/events/repeat-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as series from '#product/catalog/events/series.ts'
import { MAX_REPEATED, type Series, seriesFields } from '#product/catalog/events/series-schemas.ts'
import { lacksPicture, listTaken, repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { asking, readAsked, readLocals, toHidden } from './asked-dates.ts'
import { addressBefore } from './event-form.tsx'

interface Loaded {
  /** The series that the event belongs to already. */
  of: Series | undefined
  /** The address of the page of the series up to its name. */
  address: string
  dates: readonly AskedDate[]
  /** Whether all dates together get no picture. */
  isWithoutPicture: boolean
}

async function load(
  tx: ReadTx,
  { event, query }: EventRequest,
  { baseUrl, clock }: Services,
): Promise<Loaded> {
  const details = await events.getDetails(tx, event.id)
  const { slug } = await accounts.getDetails(tx)
  const { locals } = readLocals(readAsked(query))
  const dates = judgeDates(locals.slice(0, MAX_REPEATED), {
    ...{ timezone: details.timezone, now: clock(), taken: await listTaken(tx, details) },
  })
  return {
    of: await series.findOfEvent(tx, event.id),
    address: addressBefore(baseUrl, slug),
    dates,
    isWithoutPicture: await lacksPicture(tx, event.id, fit({ dates }).length),
  }
}

const fit = ({ dates }: Pick<Loaded, 'dates'>) => dates.filter(({ fault }) => fault === null)

function fieldsOf(loaded: Loaded, { voice }: EventRequest) {
  const choices = fit(loaded).map(date => ({ value: date.local, label: nameDate(date, voice) }))
  const dates = choicesField(
    choices.map(({ value }) => value),
    () => choices,
    { label: texts => texts.series.dates },
  )
  const name = textField(seriesFields.name, {
    label: texts => texts.series.name,
    help: texts => texts.series.nameHelp,
  })
  const slug = optionalTextField(seriesFields.slug, {
    label: texts => texts.events.slug,
    help: texts => texts.series.slugHelp,
    control: { kind: 'input', type: 'text', before: loaded.address },
  })
  // A series that is there keeps its name.
  return { ...(loaded.of === undefined ? { name, slug } : {}), dates } as {
    name: typeof name
    slug: typeof slug
    dates: typeof dates
  }
}

/** Returns the day of the week, the date and the time, and what is peculiar about them. */
function nameDate({ starts_at, isTwice }: AskedDate, { texts, format }: Voice): string {
  const at = starts_at as number
  const named = `${format.weekday(at)}, ${format.time(at)}`
  return isTwice ? `${named} (${texts.series.isTwice})` : named
}

const shown = formPage('event', {
  path: '/e/{event}/repeat/dates',
  belongsTo: '/e/{event}',
  permission: 'events.edit',
  isOfAllEvents: true,
  load,
  fields: fieldsOf,
  initial: (loaded, { event }) => ({
    name: event.title,
    dates: fit(loaded).map(({ local }) => local),
  }),
  parts: (loaded, request) => {
    const { event, voice, query } = request
    const { series: texts, page } = voice.texts
    const asked = toHidden(readAsked(query))
    const change = { action: paths.changeDates(event.id), text: texts.change }
    const possible = fit(loaded).length
    return {
      ...{ title: texts.datesTitle, submit: texts.makeThose, other: change },
      ...{ leave: paths.event(event.id), leaveText: page.back },
      about: texts.datesAbout(event.timezone),
      action: paths.repeatDates(event.id),
      above: Object.entries(asked).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      )),
      notices: loaded.of !== undefined && (
        <Banner tone="good">
          <p>
            <bdi>{texts.joins(loaded.of.name)}</bdi>
          </p>
        </Banner>
      ),
      first: (
        <>
          {possible < loaded.dates.length && <LeftOut dates={loaded.dates} voice={voice} />}
          {loaded.isWithoutPicture && (
            <Banner tone="warn">
              <p>{texts.withoutPicture}</p>
            </Banner>
          )}
        </>
      ),
      instead:
        possible > 0 ? undefined : (
          <div class="card stack">
            <p>{texts.noneLeft}</p>
            <PostButton action={change.action} fields={asked} tone="main">
              {change.text}
            </PostButton>
          </div>
        ),
    }
  },
  act: async (tx, { event }, { values, loaded }) => {
    const chosen = new Set<string>(values.dates)
    const starts = fit(loaded).flatMap(({ local, starts_at }) =>
      chosen.has(local) ? [starts_at as number] : [],
    )
    return repeatEvent(tx, event.id, {
      name: values.name ?? event.title,
      starts,
      ...(values.slug ? { slug: values.slug } : {}),
    })
  },
  entry: ({ event }) => ({
    action: 'event.repeat',
    targetType: 'event',
    targetId: event.id,
    details: (_, done) => (done === undefined ? {} : { series_id: done.series.id, dates: done.made.length }),
  }),
  next: ({ series: { id, name }, made }, { account }) => ({
    path: paths.series(account.id, id),
    flash: flash('eventRepeated', { name, dates: made.length }),
  }),
})

/**
 * Shows each date that was asked for, and makes drafts on those that stay ticked. It is reached by the form that asks, and has what
 * was asked in its own.
 */
export const repeatDates: PageAt<'event'> = {
  ...shown,
  get: async (services, context, { event }) => goTo(services, context, { path: paths.repeatEvent(event.id) }),
  post: async (services, context, request) =>
    shown.post?.(services, context, asking(request, context.state.body)),
  restore: async (services, context, request, typed) =>
    shown.restore?.(services, context, asking(request, typed), typed),
}

/** Answers with the dates that a form asks for. Nothing is made. */
export async function showDates(services: Services, context: Context, request: EventRequest): Promise<void> {
  await shown.get?.(services, context, asking(request, context.state.body))
}

/** Says of each date that cannot be made why. */
function LeftOut({ dates, voice }: { dates: readonly AskedDate[]; voice: Voice }) {
  const { series: texts } = voice.texts
  const out = dates.filter(({ fault }) => fault !== null)
  return (
    <Banner tone="warn">
      <p class="strong">{texts.impossible(out.length)}</p>
      <ul>
        {out.map(({ local, fault }) => (
          <li>
            {local.replace('T', ', ')}: {fault && texts.faults[fault]}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

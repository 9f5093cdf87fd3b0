import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Head, NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { slugField, textField } from '#machinery/web/forms/field.ts'
import { type Column, type List, Table } from '#machinery/web/lists/list.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import { may } from '#product/administration/users/roles.ts'
import { endOf } from '#product/catalog/events/end.ts'
import { mapOutlines } from '#product/catalog/events/outlines.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventOutline } from '#product/catalog/events/schemas.ts'
import * as series from '#product/catalog/events/series.ts'
import { type Series, seriesFields } from '#product/catalog/events/series-schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { hinderingOf, rateTypes, type TypeState } from '#product/selling/sellability/rules.ts'
import { addressBefore } from './event-form.tsx'
import { EventStatus } from './event-status.tsx'
import { firstPageOf } from './first-page.ts'
import { readShared } from './series-share.tsx'

interface Row {
  event: EventOutline
  places: { sold: number; capacity: number }
}

interface Loaded {
  series: Series
  rows: readonly Row[]
  /** The slug of the account, once there is a page of the series that everybody may see. */
  slug: string | null
}

/** Reads the dates that a member may see, those to come before those that are over. @throws Problem not_found */
async function load(tx: ReadTx, request: AccountRequest, { clock }: Services): Promise<Loaded> {
  const { series: found, slug } = await readShared(tx, request)
  const ids = request.member.event_ids
  const places = await registrationTypes.sumPlaces(tx)
  const rows: Row[] = []
  const dates = (await series.listDates(tx, found.id)).filter(({ id }) => ids === null || ids.includes(id))
  const outlines = await mapOutlines(
    tx,
    dates.map(({ id }) => id),
  )
  for (const { id } of dates)
    rows.push({
      event: outlines.get(id) as EventOutline,
      places: places.get(id) ?? { sold: 0, capacity: 0 },
    })
  const now = clock()
  const isOver = ({ event }: Row) => endOf(event) < now
  return {
    series: found,
    rows: [...rows.filter(row => !isOver(row)), ...rows.filter(isOver).reverse()],
    slug,
  }
}

function listFor({ member }: AccountRequest): List<Row> {
  const name: Column<Row> = {
    label: texts => texts.events.date,
    place: 'name',
    cell: ({ event }, { texts, format }) => (
      <NamedLink
        href={firstPageOf(event.id, member)}
        name={event.starts_at === null ? texts.events.noDate : format.weekdayTime(event.starts_at)}
      />
    ),
  }
  const state: Column<Row> = {
    label: texts => texts.events.state,
    place: 'line',
    cell: ({ event }, { texts }) => <EventStatus status={event.status} texts={texts} />,
  }
  const sold: Column<Row> = {
    label: texts => texts.events.sold,
    place: 'amount',
    isNumber: true,
    cell: ({ places }, { texts, format }) =>
      texts.events.soldOf(format.number(places.sold), format.number(places.capacity)),
  }
  return { caption: texts => texts.series.caption, columns: [name, state, sold] }
}

/** Shows all dates of a series, and publishes its drafts. */
export const seriesPage = showPage('account', {
  path: '/a/{account}/series/{series}',
  belongsTo: '/a/{account}',
  permission: 'overview',
  load,
  view: (loaded, request) => ({
    title: loaded.series.name,
    body: <Dates {...loaded} request={request} />,
  }),
})

function Dates({ series: of, rows, slug, request }: Loaded & { request: AccountRequest }) {
  const { account, member, voice } = request
  const { texts, format } = voice
  const drafts = rows.filter(({ event }) => event.status === 'draft').length
  const mayEdit = may(member.role, 'events.edit') && member.event_ids === null
  const [first] = rows
  const sum = (name: 'sold' | 'capacity') => rows.reduce((all, { places }) => all + places[name], 0)
  const sold = texts.events.soldOf(format.number(sum('sold')), format.number(sum('capacity')))
  return (
    <>
      <Head
        title={<bdi>{of.name}</bdi>}
        crumbs={<a href={paths.events(account.id)}>{texts.events.title}</a>}
        about={`${texts.series.dateCount(rows.length)} · ${texts.events.sold}: ${sold}`}
        actions={
          mayEdit && (
            <>
              {drafts > 0 && (
                <ButtonLink href={paths.publishSeries(account.id, of.id)} main>
                  {texts.series.publishAll(drafts)}
                </ButtonLink>
              )}
              {first !== undefined && (
                <ButtonLink href={paths.repeatEvent(first.event.id)}>{texts.series.addDates}</ButtonLink>
              )}
              {slug !== null && (
                <ButtonLink href={paths.shareSeries(account.id, of.id)}>{texts.share.title}</ButtonLink>
              )}
              <ButtonLink href={paths.renameSeries(account.id, of.id)}>{texts.series.rename}</ButtonLink>
            </>
          )
        }
      />
      <div class="stack">
        {slug === null ? (
          <p class="quiet">{texts.series.noPageYet}</p>
        ) : (
          <p>
            <a href={paths.publicPage(slug, of.slug)}>{texts.series.seePage}</a>
          </p>
        )}
        <Table list={listFor(request)} rows={rows} voice={voice} />
      </div>
    </>
  )
}

interface Publishing {
  series: Series
  drafts: readonly EventOutline[]
  past: number
  hindering: readonly TypeState[]
}

async function loadDrafts(tx: ReadTx, request: AccountRequest, services: Services): Promise<Publishing> {
  const { series: found, rows } = await load(tx, request, services)
  const now = services.clock()
  const drafts = rows.map(({ event }) => event).filter(({ status }) => status === 'draft')
  const coming = drafts.filter(event => endOf(event) >= now)
  const hindering = new Map<string, TypeState>()
  for (const types of (await rateTypes(tx, coming, services.payments.processors, now)).values())
    for (const type of hinderingOf({ types })) hindering.set(`${type.name} ${type.state}`, type)
  return {
    ...{ series: found, drafts: coming, past: drafts.length - coming.length },
    hindering: [...hindering.values()],
  }
}

/** Publishes all drafts of a series that are not past, or none. */
export const publishSeries = formPage('account', {
  path: '/a/{account}/series/{series}/publish',
  belongsTo: '/a/{account}',
  permission: 'events.edit',
  isOfAllEvents: true,
  load: loadDrafts,
  fields: () => ({}),
  preview: ({ drafts, hindering }) =>
    [...drafts.map(({ id }) => id), ...hindering.map(({ name, state }) => `${name} ${state}`)].join(),
  parts: ({ series: of, drafts, past, hindering }, { account, voice }) => {
    const { series: texts, tickets, page } = voice.texts
    const leave = paths.series(account.id, of.id)
    return {
      ...{ title: texts.publishTitle(of.name), isOfPeople: true, leave, leaveText: page.back },
      submit: texts.publishAll(drafts.length),
      will: [
        texts.publishWill(drafts.length),
        ...(past > 0 ? [texts.publishPast(past)] : []),
        ...hindering.map(({ name, state }) => (
          <bdi>{texts.publishHindered(name, tickets.states[state])}</bdi>
        )),
      ],
      instead: drafts.length === 0 ? <p class="card">{texts.publishNone}</p> : undefined,
    }
  },
  act: async (tx, _, { loaded: { drafts } }) => {
    for (const { id } of drafts) {
      await events.setStatus(tx, id, 'published')
      await tx.giveTurn()
    }
    return drafts.length
  },
  entry: ({ params }) => ({
    action: 'series.publish',
    targetType: 'series',
    targetId: params.series,
    details: (_, dates) => ({ dates }),
  }),
  next: (dates, { account, params }) => ({
    path: paths.series(account.id, params.series ?? ''),
    flash: flash('seriesPublished', { dates }),
  }),
})

/** Changes what a series is called, and its link. */
export const renameSeries = formPage('account', {
  path: '/a/{account}/series/{series}/name',
  belongsTo: '/a/{account}',
  permission: 'events.edit',
  isOfAllEvents: true,
  load: async (tx, { params }, { baseUrl }) => ({
    series: await series.get(tx, params.series ?? ''),
    address: addressBefore(baseUrl, (await accounts.getDetails(tx)).slug),
  }),
  fields: ({ address }) => ({
    name: textField(seriesFields.name, {
      label: texts => texts.series.name,
      help: texts => texts.series.nameHelp,
    }),
    slug: slugField({ label: texts => texts.events.slug, help: texts => texts.series.slugHelp }, address),
  }),
  current: ({ series: { name, slug } }) => ({ name, slug }),
  parts: ({ series: { id } }, { account, voice: { texts } }) => ({
    ...{ title: texts.series.renameTitle, submit: texts.page.save, leave: paths.series(account.id, id) },
  }),
  act: (tx, { params }, { changes }) => series.update(tx, params.series ?? '', changes),
  entry: ({ params }) => ({ action: 'series.update', targetType: 'series', targetId: params.series }),
  next: ({ id, name }, { account }) => ({
    path: paths.series(account.id, id),
    flash: flash('seriesSaved', { name }),
  }),
})

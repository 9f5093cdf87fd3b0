import { button } from '#faces/dashboard/frame/button.ts'
import { ExtraMark } from '#faces/dashboard/frame/extra-mark.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Icon } from '#machinery/web/components/icon.tsx'
import { ButtonLink, Empty, Head, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash, type Tone } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { Pool, TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import type { Sellability } from '#product/catalog/registration-types/sellability.ts'
import { capacityOf } from '#product/catalog/registration-types/shared-capacity.ts'
import { readSellable, type TypeState } from '#product/selling/sellability/rules.ts'
import { printPrice } from './print-price.ts'
import { TicketTabs } from './ticket-tabs.tsx'

interface Row extends TypeState {
  isFirst: boolean
  isLast: boolean
}

interface Loaded {
  rows: readonly Row[]
  pools: readonly Pool[]
}

const tones: Readonly<Record<Sellability, Tone | 'off' | undefined>> = {
  on_sale: 'good',
  hidden: 'good',
  draft: undefined,
  no_way_to_pay: 'bad',
  sold_out: 'warn',
  later: undefined,
  ended: 'off',
  off: 'off',
}

function typeList(eventId: string): List<Row> {
  return {
    caption: texts => texts.tickets.caption,
    columns: [
      {
        label: texts => texts.tickets.name,
        place: 'name',
        cell: ({ id, name, kind }, { texts }) => (
          <>
            <a href={paths.editType(eventId, id)}>
              <bdi>{name}</bdi>
            </a>
            <ExtraMark kind={kind} texts={texts} />
          </>
        ),
      },
      { label: texts => texts.tickets.sold, place: 'line', cell: soldCell },
      {
        label: texts => texts.tickets.shares,
        place: 'wide',
        cell: ({ pools }) => pools.map(({ id, name }) => <bdi key={id}>{name} </bdi>),
      },
      {
        label: texts => texts.tickets.price,
        place: 'amount',
        isNumber: true,
        cell: printPrice,
      },
      {
        label: texts => texts.tickets.order,
        place: 'when',
        isAction: true,
        cell: (row, { texts }) => <MoveButtons row={row} eventId={eventId} texts={texts} />,
      },
    ],
  }
}

function soldCell(row: Row, { texts, format }: Voice) {
  const { state, sold, sales_start: start } = row
  return (
    <span class="row">
      <span class="whole">{texts.events.soldOf(format.number(sold), format.number(capacityOf(row)))}</span>
      <Pill tone={tones[state]}>{texts.tickets.states[state]}</Pill>
      {state === 'later' && start !== null && (
        <span class="small quiet">{texts.tickets.from(format.dateTime(start))}</span>
      )}
    </span>
  )
}

function MoveButtons({ row, eventId, texts }: { row: Row; eventId: string } & Pick<Voice, 'texts'>) {
  const { id, name, isFirst, isLast } = row
  const action = paths.moveType(eventId, id)
  return (
    <span class="row whole">
      {!isFirst && (
        <PostButton action={action} fields={{ direction: 'up' }} label={texts.tickets.up(name)}>
          <Icon name="raise" />
        </PostButton>
      )}
      {!isLast && (
        <PostButton action={action} fields={{ direction: 'down' }} label={texts.tickets.down(name)}>
          <Icon name="lower" />
        </PostButton>
      )}
    </span>
  )
}

export const tickets = showPage('event', {
  path: '/e/{event}/tickets',
  permission: 'events.edit',
  navigation: { icon: 'tickets', text: texts => texts.navigation.tickets },
  load: async (tx, { event }, { clock, payments }): Promise<Loaded> => {
    const { types } = await readSellable(tx, event, payments.processors, clock())
    const rows = types.map((type, at) => ({
      ...type,
      isFirst: at === 0,
      isLast: at === types.length - 1,
    }))
    return { rows, pools: await registrationTypes.listPools(tx, event.id) }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.tickets.title,
    body: <Tickets {...loaded} request={request} />,
  }),
})

function Tickets({ rows, pools, request }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  const { tickets: texts } = voice.texts
  const create = (
    <ButtonLink href={paths.newType(event.id)} main>
      {texts.newType}
    </ButtonLink>
  )
  const tabs = <TicketTabs current={paths.tickets(event.id)} request={request} />
  if (rows.length === 0) {
    return (
      <>
        <Head title={texts.title} />
        {tabs}
        <Empty icon="tickets" title={texts.none} action={create}>
          {texts.noneAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head title={texts.title} actions={create} />
      {tabs}
      <div class="stack">
        <Table list={typeList(event.id)} rows={rows} voice={voice} />
        {event.status === 'draft' && (
          <p>
            <ButtonLink href={paths.event(event.id)}>{texts.toPublish}</ButtonLink>
          </p>
        )}
        <Pools rows={rows} pools={pools} request={request} />
      </div>
    </>
  )
}

function poolList(eventId: string, types: readonly TypeDetails[]): List<Pool> {
  const nameOf = new Map(types.map(({ id, name }) => [id, name]))
  return {
    caption: texts => texts.tickets.pools,
    columns: [
      {
        label: texts => texts.tickets.poolName,
        place: 'name',
        cell: ({ id, name }) => (
          <a href={paths.editPool(eventId, id)}>
            <bdi>{name}</bdi>
          </a>
        ),
      },
      {
        label: texts => texts.tickets.poolTypes,
        place: 'line',
        cell: ({ registration_type_ids: ids }, { format }) => (
          <bdi>{format.list(ids.map(id => nameOf.get(id) ?? ''))}</bdi>
        ),
      },
      {
        label: texts => texts.tickets.left,
        place: 'amount',
        isNumber: true,
        cell: ({ available, capacity }, { texts, format }) =>
          texts.tickets.leftOf(format.number(available), format.number(capacity)),
      },
    ],
  }
}

function Pools({ rows, pools, request }: Loaded & { request: EventRequest }) {
  const { event, voice } = request
  const { tickets: texts } = voice.texts
  const create = <ButtonLink href={paths.newPool(event.id)}>{texts.newPool}</ButtonLink>
  if (pools.length === 0) {
    return (
      <section class="card stack" aria-labelledby="pools">
        <h2 id="pools">{texts.pools}</h2>
        <p class="quiet">{texts.poolsAbout}</p>
        <p>{create}</p>
      </section>
    )
  }
  return (
    <>
      <Table list={poolList(event.id, rows)} rows={pools} voice={voice} hasHeading />
      <p>{create}</p>
    </>
  )
}

export const moveType = button('event', {
  path: '/e/{event}/tickets/{type}/move',
  permission: 'events.edit',
  act: async (tx, { event, params }, body) => {
    const id = params.type ?? ''
    await registrationTypes.move(tx, event.id, id, directionOf(body))
    return registrationTypes.getDetails(tx, event.id, id)
  },
  entry: (_, body) => ({
    action: 'registration_type.move',
    targetType: 'registration_type',
    targetOf: ({ id }) => id,
    details: () => ({ direction: directionOf(body) }),
  }),
  next: ({ name }, { event }, _, body) => ({
    path: paths.tickets(event.id),
    flash: flash('typeMoved', { name, direction: directionOf(body) }),
  }),
  back: ({ event }) => paths.tickets(event.id),
})

function directionOf(body: URLSearchParams): 'up' | 'down' {
  return body.get('direction') === 'up' ? 'up' : 'down'
}

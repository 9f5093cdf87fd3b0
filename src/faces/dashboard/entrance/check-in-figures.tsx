import { type ActorNames, describeActor } from '#faces/dashboard/frame/actors.ts'
import { ExtraMark } from '#faces/dashboard/frame/extra-mark.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { type StatProps, Stats, Time } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import type { DoorTicket } from '#product/entrance/check-ins/tickets.ts'
import type { Inside } from '#product/reporting/figures/inside.ts'
import { nameColumn, TicketLine } from './check-in-parts.tsx'
import { UndoLink } from './ticket-actions.tsx'

/** An admitted attendee, and the actor who did it. The actor is null if nobody knows. */
export interface Admitted extends DoorTicket {
  actor: string | null
}

interface InsideProps {
  inside: Inside
  types: readonly TypeDetails[]
  voice: Voice
}

export function insideStats({ inside, types, voice }: InsideProps): StatProps[] {
  const { texts, format } = voice
  const { counted_at, recent, by_type } = inside
  const tickets = ticketsAmong(types)
  const sold = tickets.reduce((sum, type) => sum + type.sold, 0)
  const handedOut = types.filter(({ kind }) => kind === 'extra')
  const count =
    inside.count === null
      ? null
      : inside.count - handedOut.reduce((sum, { id }) => sum + (by_type[id] ?? 0), 0)
  const aMinute = Math.round(recent / 5)
  return [
    {
      name: texts.checkIn.inside,
      value: count === null ? texts.checkIn.notCounted : format.number(count),
      of: texts.overview.of(format.number(sold)),
      about: counted_at === null ? undefined : texts.checkIn.countedAt(format.time(counted_at)),
      meter: { value: count ?? 0, max: sold, label: format.percent(count ?? 0, sold) },
    },
    {
      name: texts.checkIn.recent,
      value: format.number(recent),
      about: aMinute === 0 ? undefined : texts.checkIn.perMinute(aMinute),
    },
  ]
}

export function InsideFigures(props: InsideProps) {
  return <Stats label={props.voice.texts.checkIn.figures} stats={insideStats(props)} />
}

export function InsideByType({ inside: { by_type }, types, voice }: InsideProps) {
  const list: List<TypeDetails> = {
    caption: texts => texts.checkIn.byType,
    columns: [
      {
        label: texts => texts.checkIn.type,
        place: 'name',
        cell: ({ name, kind }, { texts }) => (
          <>
            <bdi>{name}</bdi>
            <ExtraMark kind={kind} texts={texts} />
          </>
        ),
      },
      {
        label: texts => texts.checkIn.inside,
        place: 'amount',
        isNumber: true,
        cell: ({ id, sold }, { texts, format }) =>
          texts.events.soldOf(format.number(by_type[id] ?? 0), format.number(sold)),
      },
    ],
  }
  return <Table list={list} rows={types} voice={voice} hasHeading />
}

export function LatestCheckIns({
  latest,
  actors,
  request,
}: {
  latest: readonly Admitted[]
  actors: ActorNames
  request: EventRequest
}) {
  const { event, voice } = request
  const list: List<Admitted> = {
    caption: texts => texts.checkIn.latest,
    columns: [
      nameColumn,
      {
        label: texts => texts.checkIn.ticket,
        place: 'line',
        cell: (ticket, { texts }) => <TicketLine ticket={ticket} texts={texts} />,
      },
      {
        label: texts => texts.checkIn.when,
        place: 'when',
        isNumber: true,
        cell: ({ checked_in_at, actor }, { texts, format }) => (
          <>
            <Time at={checked_in_at as string} format={format} short />
            <div class="small quiet">
              <bdi>{actor === null ? '' : describeActor(actor, actors, texts)}</bdi>
            </div>
          </>
        ),
      },
      {
        label: texts => texts.checkIn.action,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: (ticket, { texts }) => <UndoLink event={event.id} ticket={ticket} texts={texts} />,
      },
    ],
  }
  if (latest.length === 0) return <p class="quiet">{voice.texts.checkIn.noneYet}</p>
  return <Table list={list} rows={latest} voice={voice} hasHeading />
}
